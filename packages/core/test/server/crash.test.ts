import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crashLines, MAX_CRASH_LINES } from '../../src/server/crash'
import { isWellFormed, utf8Length } from '../../src/shared/json'

const line = (message: string) => ({ at: 1, stream: 'stdout' as const, message })

describe('the log lines in the report of a crash', () => {
  it('are the newest, at most twenty lines of 1,000 characters and 8 KiB together', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 1_500 }), { maxLength: 30 })
    fc.assert(
      fc.property(texts, (messages) => {
        const kept = crashLines(messages.map(line))
        expect(kept.length).toBeLessThanOrEqual(MAX_CRASH_LINES)
        expect(kept.reduce((sum, line) => sum + utf8Length(JSON.stringify(line)), 0)).toBeLessThanOrEqual(8 * 1_024)
        for (const { message } of kept) {
          expect([...message].length).toBeLessThanOrEqual(1_000)
          expect(isWellFormed(message) && !message.includes('\0')).toBe(true)
        }
        const ends = messages.slice(messages.length - kept.length)
        for (const [index, { message }] of kept.entries()) {
          const whole = ends[index] ?? ''
          if (whole.length <= 1_000 && isWellFormed(whole) && !whole.includes('\0')) expect(message).toBe(whole)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('of a long line is its beginning, and a character that cannot be stored is replaced', () => {
    expect(crashLines([line('x'.repeat(1_001))])[0]?.message).toBe(`${'x'.repeat(999)}…`)
    expect(crashLines([line('a\0b\ud800c')])[0]?.message).toBe('a\ufffdb\ufffdc')
    const long = Array.from({ length: 20 }, (_, index) => line(`${index}`.padEnd(900, '.')))
    expect(crashLines(long)).toEqual(long.slice(-8))
  })
})
