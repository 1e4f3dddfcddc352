import { FakeClock } from '@matchyard/testkit'
import { describe, expect, test } from 'vitest'
import { OpenStreams } from '../src/sse/open-streams'
import { type Sink, webSink } from '../src/sse/sink'
import type { LobbyStream, StreamMessage } from '../src/wire/core-types'

/** Sink of a reader whose socket accepts bytes only when the test says so. */
class FakeSink implements Sink {
  written: string[] = []
  pending = 0
  taken = 0
  closed = false
  ended: 'end' | 'destroy' | undefined
  write(chunk: Uint8Array): boolean {
    this.written.push(new TextDecoder().decode(chunk))
    return true
  }
  async room(): Promise<void> {}
  end(): void {
    this.ended ??= 'end'
  }
  destroy(): void {
    this.ended ??= 'destroy'
  }
}

/** Returns a stream without events until it is closed. */
function quietStream() {
  let close = () => {}
  const end = new Promise<undefined>((resolve) => {
    close = () => resolve(undefined)
  })
  const stream = {
    dropped: false,
    onEnd: () => {},
    close: () => close(),
    next: (): Promise<StreamMessage | undefined> => end,
  }
  return stream as unknown as LobbyStream
}

function begin(sink = new FakeSink()) {
  const clock = new FakeClock()
  const streams = new OpenStreams(clock)
  const stream = quietStream()
  const done = streams.pump(stream, sink)
  return { clock, streams, sink, stream, done }
}

describe('a reader that took nothing between two keep-alives although bytes waited', () => {
  test('is cut off', async () => {
    const { clock, streams, sink, done } = begin()
    sink.pending = 100
    clock.advance(15_000)
    expect(sink.ended).toBeUndefined()
    clock.advance(15_000)
    await done
    expect([sink.ended, streams.size]).toEqual(['destroy', 0])
  })

  test('is spared when it took some of them, however slowly', () => {
    const { clock, sink } = begin()
    sink.pending = 100
    for (let n = 0; n < 10; n++) {
      clock.advance(15_000)
      sink.taken++
    }
    expect(sink.ended).toBeUndefined()
    // A keep-alive would only add waiting bytes.
    expect(sink.written).toEqual(['retry: 2000\n\n'])
  })
})

describe('a reader of whose end nothing tells', () => {
  test('is let go at once when it went while its stream was being opened', async () => {
    const { clock, streams, done } = begin(Object.assign(new FakeSink(), { closed: true }))
    await done
    expect([streams.size, clock.nextTimerAt()]).toEqual([0, undefined])
  })

  test('is let go by the next keep-alive', async () => {
    const { clock, streams, sink, done } = begin()
    clock.advance(15_000)
    sink.closed = true
    clock.advance(15_000)
    await done
    expect([streams.size, clock.nextTimerAt()]).toEqual([0, undefined])
    expect(sink.written).toEqual(['retry: 2000\n\n', ': ping\n\n'])
  })

  test('is let go by two keep-alives where a platform never reads the body it was given', async () => {
    const clock = new FakeClock()
    const streams = new OpenStreams(clock)
    const stream = quietStream()
    const done = streams.pump(stream, webSink(() => stream.close()).sink)
    clock.advance(30_000)
    await done
    expect([streams.size, clock.nextTimerAt()]).toEqual([0, undefined])
  })
})

test('a reader that keeps up is pinged and, when the service closes, told to end', async () => {
  const { clock, streams, sink, done } = begin()
  clock.advance(45_000)
  expect(sink.written).toEqual(['retry: 2000\n\n', ': ping\n\n', ': ping\n\n', ': ping\n\n'])
  streams.closeAll()
  await done
  expect([sink.ended, streams.size, clock.nextTimerAt()]).toEqual(['end', 0, undefined])
  expect(sink.written.at(-1)).toBe('retry: 100\n\n')
})

test('readers that are sent away together come back spread over two seconds', async () => {
  const streams = new OpenStreams(new FakeClock())
  const sinks = Array.from({ length: 500 }, () => new FakeSink())
  const pumps = sinks.map((sink) => streams.pump(quietStream(), sink))
  streams.closeAll()
  await Promise.all(pumps)
  const waits = sinks.map(({ written }) => Number(/^retry: (\d+)\n\n$/.exec(written.at(-1) ?? '')?.[1]))
  for (const tenth of Array.from({ length: 10 }, (_, at) => 100 + at * 200)) {
    expect(waits.filter((wait) => wait >= tenth && wait < tenth + 200).length).toBeGreaterThan(45)
  }
})

test('a reader without room is asked for nothing more until it has room', async () => {
  const asked: string[] = []
  let hasRoom = () => {}
  const sink = new FakeSink()
  sink.write = () => false
  sink.room = () =>
    new Promise((resolve) => {
      hasRoom = resolve
    })
  const lobby = { players: [], server: null, createdAt: 0, updatedAt: 0 }
  const message = { event: 'lobby_updated', id: 1, lobby, source: lobby } as unknown as StreamMessage
  const stream = {
    ...quietStream(),
    next: async () => {
      asked.push('next')
      return asked.length < 10 ? message : undefined
    },
    waits: () => void asked.push('waits'),
    goesOn: () => void asked.push('goes on'),
  } as unknown as LobbyStream
  const done = new OpenStreams(new FakeClock()).pump(stream, sink)
  await new Promise((resolve) => setImmediate(resolve))
  expect(asked).toEqual(['next', 'waits'])
  hasRoom()
  await new Promise((resolve) => setImmediate(resolve))
  expect(asked).toEqual(['next', 'waits', 'goes on', 'next', 'waits'])
  sink.closed = true
  hasRoom()
  await done
})

test('a reader that takes all it is given leaves others their turn after every 128 kB', async () => {
  const sink = new FakeSink()
  const lobby = { players: [], server: null, createdAt: 0, updatedAt: 0, settings: { text: 'x'.repeat(50_000) } }
  const message = { event: 'lobby_updated', id: 1, lobby, source: lobby } as unknown as StreamMessage
  let given = 0
  const stream = {
    ...quietStream(),
    next: async () => (++given > 12 ? undefined : message),
  } as unknown as LobbyStream
  const streams = new OpenStreams(new FakeClock())
  const turns: number[] = []
  streams.turns.begin = async () => void turns.push(given)
  await streams.pump(stream, sink)
  expect(turns).toEqual([3, 6, 9, 12])
})
