import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Batches, GATHER_MS } from '../src/batches/batches'
import { Waiting } from '../src/batches/waiting'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate'] }))
afterEach(() => void vi.useRealTimers())

const BOUNDS = { batch: 3, batchSize: 100, waiting: 100, waitingSize: 1_000, patienceMs: 5_000, name: 'items' }

/** Returns batches that run until the test ends them. */
function someBatches() {
  let now = 0
  const runs: { names: string[]; end: () => void }[] = []
  const waiting = new Waiting<{ name: string; size: number; reject: () => void }>(BOUNDS, () => now)
  const batches = new Batches(waiting, 2, (items) => {
    const names = items.map(({ name }) => name)
    return new Promise<void>((end) => void runs.push({ names, end }))
  })
  return {
    runs,
    batches,
    add: (...names: string[]) => names.forEach((name) => void batches.add({ name, size: 1, reject: () => {} })),
    async pass(ms: number) {
      now += ms
      await vi.advanceTimersByTimeAsync(ms)
    },
    names: () => runs.map(({ names }) => names.join('')),
  }
}

test('gathers items while a batch runs, and runs another beside it after a wait', async () => {
  const { add, pass, names, runs } = someBatches()
  add('a', 'b')
  await pass(0)
  expect(names()).toEqual(['ab'])
  add('c')
  await pass(GATHER_MS - 1)
  add('d')
  expect(names()).toEqual(['ab'])
  await pass(1)
  expect(names()).toEqual(['ab', 'cd'])
  // Two batches run, which is the maximum, so the next item waits until one of them ends.
  add('e')
  await pass(10 * GATHER_MS)
  expect(names()).toEqual(['ab', 'cd'])
  runs[0]?.end()
  await pass(0)
  expect(names()).toEqual(['ab', 'cd', 'e'])
})

test('takes what waits as soon as no batch runs', async () => {
  const { add, pass, names, runs } = someBatches()
  add('a')
  await pass(0)
  add('b', 'c', 'd', 'e')
  runs[0]?.end()
  await pass(0)
  expect(names()).toEqual(['a', 'bcd'])
})

test('is drained when every item is settled', async () => {
  const { add, pass, runs, batches } = someBatches()
  await batches.drain()
  add('a')
  let isDrained = false
  void batches.drain().then(() => {
    isDrained = true
  })
  await pass(0)
  expect(isDrained).toBe(false)
  runs[0]?.end()
  await pass(0)
  expect(isDrained).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})
