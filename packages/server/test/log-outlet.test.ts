import type { Timers } from '@matchyard/core/ports'
import { expect, test } from 'vitest'
import { LogOutlet, type LogSink, MAX_WAITING_BYTES } from '../src/service/log-outlet'
import { createLogger } from '../src/service/logging'

/**
 * A descriptor that accepts `capacity` bytes until the test allows more, and timers that fire when the test says so.
 */
function held(capacity: number, refusal = 'EAGAIN') {
  let room = capacity
  let written = ''
  const due: (() => void)[] = []
  const timers: Timers = {
    after(_ms, callback) {
      due.push(callback)
      return () => {}
    },
  }
  const writeNow = (bytes: Buffer) => {
    if (room === 0) throw Object.assign(new Error(refusal), { code: refusal })
    const taken = Math.min(room, bytes.byteLength)
    room -= taken
    written += bytes.subarray(0, taken).toString()
    return taken
  }
  const sink: LogSink = {
    write(bytes, done) {
      try {
        done(null, writeNow(bytes))
      } catch (error) {
        done(error as NodeJS.ErrnoException, 0)
      }
    },
    writeNow,
  }
  return {
    sink,
    timers,
    read: () => written,
    /** Simulates a reader that continues, or a disk with space again. */
    makeRoom(bytes: number) {
      room = bytes
      this.timePasses()
    },
    takeMore(bytes: number) {
      room = bytes
    },
    timePasses() {
      for (const callback of due.splice(0)) callback()
    },
  }
}

test('a reader that stalls costs lines past the bound, counted, and gets the rest in order once it goes on', () => {
  const pipe = held(10)
  const outlet = new LogOutlet(pipe.sink, pipe.timers, 40)
  const lines = Array.from({ length: 10 }, (_, line) => `line ${line}\n`)
  // Each line has 7 bytes. The reader accepts 10 bytes at first, and at most 40 bytes wait.
  expect(lines.map((line) => outlet.write(line))).toEqual([...Array(7).fill(true), ...Array(3).fill(false)])
  expect(outlet.dropped).toBe(3)
  pipe.makeRoom(1_000)
  expect(pipe.read()).toBe(lines.slice(0, 7).join(''))
  expect(outlet.write('on again\n')).toBe(true)
  expect(pipe.read()).toMatch(/line 6\non again\n$/)
})

test('a disk that is full costs lines too, and is tried again', () => {
  const disk = held(0, 'ENOSPC')
  const outlet = new LogOutlet(disk.sink, disk.timers)
  const line = `${'x'.repeat(1_023)}\n`
  for (let i = 0; i < 2_000; i++) outlet.write(line)
  expect(outlet.dropped).toBe(2_000 - MAX_WAITING_BYTES / 1024)
  disk.makeRoom(10 * MAX_WAITING_BYTES)
  expect(disk.read()).toHaveLength(MAX_WAITING_BYTES)
})

test('the log tells in the next line that gets through how many did not', () => {
  for (const [pretty, level] of [
    [true, 'info'],
    [false, 'info'],
    [false, 'error'],
  ] as const) {
    const pipe = held(0)
    const outlet = new LogOutlet(pipe.sink, pipe.timers, 400)
    const logger = createLogger({ level, pretty, outlet })
    for (let i = 0; i < 20; i++) logger[level]('request', { i, more: 'x'.repeat(60) })
    const { dropped } = outlet
    expect(dropped).toBeGreaterThan(10)
    pipe.makeRoom(10_000)
    logger[level]('on again')
    logger[level]('and on')
    const told = pipe.read().trimEnd().split('\n').slice(-3)
    // Each call first tries to report the loss. A failed report does not count as a lost line.
    expect(told[0]).toContain(pretty ? `lines=${20 - (pipe.read().match(/request/g)?.length ?? 0)}` : '"lines":')
    expect(told[1]).toContain('on again')
    expect(told[2]).toContain('and on')
  }
})

test('who waits for the last lines waits no longer than it says', async () => {
  const pipe = held(0)
  const outlet = new LogOutlet(pipe.sink, pipe.timers)
  await outlet.drained(1_000)
  outlet.write('last words\n')
  outlet.finish(0)
  expect(pipe.read()).toBe('')
  const drained = outlet.drained(1_000)
  pipe.makeRoom(100)
  await drained
  expect(pipe.read()).toBe('last words\n')
})

test('what waits while the process ends goes out where somebody takes it, and nothing twice', () => {
  const pipe = held(3)
  const outlet = new LogOutlet(pipe.sink, pipe.timers)
  outlet.write('last words\n')
  outlet.write('and more\n')
  const { writeNow } = pipe.sink
  let looks = 0
  Object.assign(pipe.sink, {
    writeNow: (bytes: Buffer) => {
      if (++looks === 3) pipe.takeMore(100)
      return writeNow(bytes)
    },
  })
  outlet.finish(60_000)
  expect(pipe.read()).toBe('last words\nand more\n')
})
