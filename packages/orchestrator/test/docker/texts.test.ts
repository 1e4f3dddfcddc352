import { expect, test } from 'vitest'
import { addressOf } from '../../src/docker/engine'
import { contentOf } from '../../src/docker/image-files'
import { containerName } from '../../src/docker/labels'
import { linesOf } from '../../src/docker/logs'

const frame = (stream: 1 | 2, text: string) => {
  const body = Buffer.from(text)
  const head = Buffer.alloc(8)
  head[0] = stream
  head.writeUInt32BE(body.length, 4)
  return Buffer.concat([head, body])
}
const at = (ms: number) => `2026-01-01T00:00:00.${String(ms).padStart(3, '0')}000000Z`
const start = Date.UTC(2026, 0, 1)

test('a line that the engine cut is one line again, also between lines of the other stream', () => {
  const framed = Buffer.concat([
    frame(1, `${at(1)} ${'a'.repeat(10)}`),
    frame(2, `${at(2)} trouble\n`),
    frame(1, `${at(3)} bcd\n`),
    frame(1, `${at(4)} \n`),
    frame(1, `${at(5)} no end of line`),
  ])
  expect(linesOf(framed)).toEqual([
    { at: start + 1, stream: 'stdout', message: 'aaaaaaaaaabcd' },
    { at: start + 2, stream: 'stderr', message: 'trouble' },
    { at: start + 4, stream: 'stdout', message: '' },
    { at: start + 5, stream: 'stdout', message: 'no end of line' },
  ])
  expect(linesOf(framed.subarray(0, 5))).toEqual([])
})

test('an engine is addressed as its own command is told', () => {
  expect(addressOf('unix:///run/docker.sock')).toEqual({ socketPath: '/run/docker.sock', host: '' })
  expect(addressOf('tcp://127.0.0.1:2375')).toEqual({ protocol: 'http', host: '127.0.0.1', port: 2375 })
  expect(addressOf('https://[::1]:2376')).toEqual({ protocol: 'https', host: '::1', port: 2376 })
  for (const wrong of ['', 'docker.sock', 'ssh://host', 'unix://docker.sock']) {
    expect(() => addressOf(wrong), wrong).toThrow(/not the address of a container engine/)
  }
})

test('a container is named by its launch, and an id that is a path names none', () => {
  expect(containerName('a', 'srv_1', 2)).not.toBe(containerName('b', 'srv_1', 2))
  expect(containerName('a', 'srv_1', 2)).toBe(containerName('a', 'srv_1', 2))
  for (const id of ['../x', '', 'a/b', '.']) expect(() => containerName('a', id, 1), id).toThrow(TypeError)
})

test('a tar that ends too soon or holds no file has no content', () => {
  expect(contentOf(Buffer.alloc(0))).toBeUndefined()
  expect(contentOf(Buffer.alloc(2_048))).toBeUndefined()
})
