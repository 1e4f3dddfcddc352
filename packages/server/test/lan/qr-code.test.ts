import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { qrCode } from '../../src/dev/qr-code'

const URL = 'http://192.168.100.200:8080'
const COLOURS = '\u001b[38;5;231;48;5;16m'
const PLAIN = '\u001b[0m'

const blocksOf = (line: string): string => line.slice(COLOURS.length, -PLAIN.length)

/** Reads the modules from the lines of a terminal: true is dark. The blocks are light. */
function modulesOf(lines: readonly string[]): boolean[][] {
  return lines.flatMap((line) => {
    const blocks = [...blocksOf(line)]
    return [blocks.map((block) => !'█▀'.includes(block)), blocks.map((block) => !'█▄'.includes(block))]
  })
}

test('holds the address, in light blocks on a dark ground of its own, with a quiet zone of four modules', () => {
  const lines = qrCode(URL)
  for (const line of lines) {
    expect([line.startsWith(COLOURS), line.endsWith(PLAIN)]).toEqual([true, true])
    expect(blocksOf(line)).toMatch(/^[█▀▄ ]+$/)
  }
  const { data, size } = encode(URL, { border: 4 })
  const shown = modulesOf(lines)
  expect(shown).toEqual([...data, Array(size).fill(false)])
  for (const row of shown.slice(0, 4)) expect(row).toEqual(Array(size).fill(false))
  for (const row of shown)
    expect([row.slice(0, 4), row.slice(-4)]).toEqual([Array(4).fill(false), Array(4).fill(false)])
})

test('fits a terminal of 80 columns and 24 lines', () => {
  const lines = qrCode('http://192.168.100.200:65535')
  expect(lines.length).toBeLessThanOrEqual(20)
  expect(blocksOf(lines[0] ?? '').length).toBeLessThanOrEqual(40)
})
