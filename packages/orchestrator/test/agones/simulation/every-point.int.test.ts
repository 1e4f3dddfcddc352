import { afterAll, describe, expect, test } from 'vitest'
import {
  allocation,
  call,
  deleted,
  dies,
  diesWithTwo,
  drained,
  event,
  expired,
  forgotten,
  full,
  liveOnce,
  MOST_PLACES,
  outage,
  type Strike,
} from './one-life'
import { packAtOnce } from './packing'

afterAll(packAtOnce())

/** Whether every place is tried, as under `npm run prove -- agones-simulation`; otherwise one in several. */
const isProof = process.env.MATCHYARD_SIMULATIONS !== undefined
const STRIDE = isProof ? 1 : 5
/** Distance of the places tried for strikes that take long, or that have caused no failure for a long time. */
const LONG_STRIDE = isProof ? 1 : 10

async function atEveryPlace(strike: Strike, atLeast: number, { warm, stride }: { warm: boolean; stride: number }) {
  let places = Number(process.env.MATCHYARD_SEED ?? 0) % stride
  while (places < MOST_PLACES && (await liveOnce(places, strike, warm))) places += stride
  // A run without a strike proves nothing.
  expect(places).toBeGreaterThanOrEqual(atLeast)
  expect(places).toBeLessThan(MOST_PLACES)
}

const STRIKES: readonly (readonly [string, Strike, number])[] = [
  ['the service dies at any of its points', dies, 40],
  ['the answer of any call is lost', call('lost'), 20],
  ['any call is lost on its way', call('down'), 20],
  ['any call is refused with 500', call('error'), 20],
  ['any call is throttled', call('throttle'), 20],
  ['a watch is cut before any event', event('before'), 10],
  ['a watch is cut after any event', event('after'), 10],
  ['any event is lost and its version expired, told by the code', expired('status'), 10],
  ['any event is lost and its version expired, told in the stream', expired('event'), 10],
]

const LONG_STRIKES: readonly (readonly [string, Strike, number])[] = [
  ['nobody gets to the interface for a minute from any call on', outage('refused'), 20],
  ['packets vanish both ways for a minute from any call on', outage('silent'), 20],
  ['the node that all runs on is drained before any call', drained, 20],
  ['quotas refuse all that is made for five seconds from any call on', full, 20],
]
const BY_HAND: readonly (readonly [string, Strike, number])[] = [
  ['all game servers are deleted by hand before any call', deleted('game servers'), 20],
  ['all pods are deleted by hand before any call', deleted('pods'), 20],
  ['all configurations are deleted by hand before any call', deleted('configurations'), 20],
]

describe('a launch, a restart and a stop come out right', () => {
  test.each(STRIKES)('when %s', { timeout: 300_000 }, async (_, strike, atLeast) => {
    await atEveryPlace(strike, atLeast, { warm: false, stride: STRIDE })
  })

  test.each([...LONG_STRIKES, ...BY_HAND])('when %s', { timeout: 600_000 }, async (_, strike, atLeast) => {
    await atEveryPlace(strike, atLeast, { warm: false, stride: LONG_STRIDE })
  })
})

describe('a launch that takes one that waits, its restart and its stop come out right', () => {
  test.each([
    ...STRIKES,
    ['the service dies at any of its points, and two were taken for it', diesWithTwo, 40],
    ...BY_HAND,
    ['all fleets are deleted by hand before any call', deleted('fleets'), 20],
  ] as const)('when %s', { timeout: 600_000 }, async (_, strike, atLeast) => {
    await atEveryPlace(strike, atLeast, { warm: true, stride: 2 * STRIDE - 1 })
  })

  test.each([
    ...LONG_STRIKES,
    ['versions are forgotten for a second from any call on, and lists come in pages', forgotten, 20],
  ] as const)('when %s', { timeout: 600_000 }, async (_, strike, atLeast) => {
    await atEveryPlace(strike, atLeast, { warm: true, stride: LONG_STRIDE })
  })

  test.each(['contention', 'twice'] as const)('when its allocation meets %s', { timeout: 300_000 }, async (fate) => {
    await atEveryPlace(allocation(fate), 1, { warm: true, stride: 1 })
  })
})
