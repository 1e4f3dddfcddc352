import { type Signal, StorageUnavailable } from '@matchyard/core/ports'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Waiting, type WaitingBounds } from '../src/batches/waiting'
import { commitBounds } from '../src/commit/group-commit'
import { Doorway, MAX_WAITING_CALLS } from '../src/connections/doorway'
import { SilenceWatch } from '../src/connections/silence-watch'
import { readBounds } from '../src/readers/point-reads'
import { MAX_PENDING_SIGNALS, PendingSignals, RESYNC } from '../src/signals/pending-signals'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const never = () => new Promise<never>(() => {})

test('calls that wait for a connection are refused past their bound', async () => {
  const doorway = new Doorway()
  const waiting = Array.from({ length: MAX_WAITING_CALLS }, () => doorway.enter(never, () => false))
  await expect(
    doorway.enter(
      async () => 'late',
      () => false,
    ),
  ).rejects.toBeInstanceOf(StorageUnavailable)
  expect(waiting.length).toBe(MAX_WAITING_CALLS)
})

test('of calls to a server out of reach one tries to reach it, and the others are answered within a second', async () => {
  const doorway = new Doorway()
  doorway.shut()
  let arrive = (_: string) => {}
  const first = doorway.enter(
    () =>
      new Promise<string>((resolve) => {
        arrive = resolve
      }),
    () => true,
  )
  const connect = vi.fn(async () => 'another')
  const impatient = expect(doorway.enter(connect, () => true)).rejects.toBeInstanceOf(StorageUnavailable)
  await vi.advanceTimersByTimeAsync(1_000)
  await impatient
  const lucky = doorway.enter(connect, () => true)
  expect(connect).not.toHaveBeenCalled()
  arrive('there')
  expect(await Promise.all([first, lucky])).toEqual(['there', 'another'])
  expect(doorway.isOut).toBe(false)
})

/** Returns a queue with these bounds. Its items record how they were settled. */
function aQueue(bounds: WaitingBounds = commitBounds(5_000)) {
  const outcomes: ('waits' | unknown)[] = []
  let now = 0
  const queue = new Waiting(bounds, () => now)
  return {
    queue,
    outcomes,
    add(size: number) {
      const index = outcomes.push('waits') - 1
      const reject = (error: unknown) => {
        outcomes[index] = error
      }
      queue.add({ size, reject })
    },
    async pass(ms: number) {
      now += ms
      await vi.advanceTimersByTimeAsync(ms)
    },
  }
}

describe.each([commitBounds(5_000), readBounds(5_000)])('$name', (bounds) => {
  const { batch, batchSize, waiting, waitingSize } = bounds

  test('that wait are refused past a number and past a size', () => {
    const many = aQueue(bounds)
    for (let n = 0; n < waiting; n++) many.add(1)
    expect(() => many.add(1)).toThrow(StorageUnavailable)
    expect(many.queue.take().length).toBe(batch)
    many.add(1)

    const large = aQueue(bounds)
    for (let n = 0; n < 64; n++) large.add(waitingSize / 64)
    expect(() => large.add(1)).toThrow(StorageUnavailable)
    large.queue.take()
    large.add(1)
  })

  test('go alone when one is larger than all bounds of size', () => {
    const { queue, add } = aQueue(bounds)
    add(2 * waitingSize)
    expect(() => add(1)).toThrow(StorageUnavailable)
    expect(queue.take().length).toBe(1)
  })

  test('fill a batch up to its number and its size', () => {
    const { queue, add } = aQueue(bounds)
    for (let n = 0; n < 10; n++) add(batchSize / 4)
    expect([queue.take().length, queue.take().length, queue.take().length]).toEqual([4, 4, 2])
  })

  test('that no batch took in time are refused, and only they', async () => {
    const { queue, outcomes, add, pass } = aQueue(bounds)
    add(1)
    await pass(3_000)
    add(1)
    await pass(2_000)
    expect(outcomes[0]).toBeInstanceOf(StorageUnavailable)
    expect(outcomes[1]).toBe('waits')
    await pass(2_000)
    expect(outcomes[1]).toBe('waits')
    await pass(1_000)
    expect(outcomes[1]).toBeInstanceOf(StorageUnavailable)
    expect(queue.length).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('signals that could not be sent become one word to look at everything', () => {
  const pending = new PendingSignals()
  const signal = (n: number): Signal => ({ topic: 'lobby', id: `lob_${n}` })
  pending.add(Array.from({ length: MAX_PENDING_SIGNALS }, (_, n) => signal(n)))
  expect(pending.size).toBe(MAX_PENDING_SIGNALS)
  pending.add([signal(-1)])
  expect([...pending.take()]).toEqual([RESYNC])
  expect(pending.size).toBe(0)
})

/** Returns a connection that only has a socket, because the silence watch reads nothing else. */
function aConnection() {
  const stream = { bytesRead: 0, writableLength: 0, destroy: vi.fn() }
  return { stream, client: { connection: { stream } } as never }
}

test('a connection without a sign of life is destroyed after its time, one with any is not', async () => {
  const onSilent = vi.fn()
  const watch = new SilenceWatch(2_000, onSilent)
  const [silent, reading, writing] = [aConnection(), aConnection(), aConnection()]
  for (const { client } of [silent, reading, writing]) void watch.during(client, never)
  writing.stream.writableLength = 1_000_000
  for (let passed = 0; passed < 2_100; passed += 100) {
    expect(silent.stream.destroy).not.toHaveBeenCalled()
    if (passed % 500 === 0) reading.stream.bytesRead++
    if (passed % 500 === 0) writing.stream.writableLength--
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(silent.stream.destroy).toHaveBeenCalledOnce()
  expect(onSilent).toHaveBeenCalledOnce()
  expect(reading.stream.destroy).not.toHaveBeenCalled()
  expect(writing.stream.destroy).not.toHaveBeenCalled()
})

test('nobody looks at connections that nobody waits for', async () => {
  const watch = new SilenceWatch(2_000, () => {})
  await watch.during(aConnection().client, async () => {})
  await vi.advanceTimersByTimeAsync(200)
  expect(vi.getTimerCount()).toBe(0)
})
