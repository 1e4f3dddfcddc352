import { describe, expect, test } from 'vitest'
import { call, dies, event, expired, launchAndStop, MOST_PLACES, type Strike } from './one-launch'

/** Every place under `npm run prove:agones-simulation`, else every one of so many. */
const STRIDE = process.env.MATCHYARD_SIMULATIONS === undefined ? 5 : 1

describe('a launch and a stop come out right', () => {
  test.each<[string, Strike, number]>([
    ['the service dies at any of its points', dies, 40],
    ['the answer of any call is lost', call('lost'), 20],
    ['any call is lost on its way', call('down'), 20],
    ['any call is refused with 500', call('error'), 20],
    ['any call is throttled', call('throttle'), 20],
    ['a watch is cut before any event', event('before'), 10],
    ['a watch is cut after any event', event('after'), 10],
    ['any event is lost and its version expired, told by the code', expired('status'), 10],
    ['any event is lost and its version expired, told in the stream', expired('event'), 10],
  ])('when %s', { timeout: 300_000 }, async (_, strike, atLeast) => {
    let places = Number(process.env.MATCHYARD_SEED ?? 0) % STRIDE
    while (places < MOST_PLACES && (await launchAndStop(places, strike))) places += STRIDE
    // A run in which nothing was struck would have shown nothing.
    expect(places).toBeGreaterThanOrEqual(atLeast)
    expect(places).toBeLessThan(MOST_PLACES)
  })
})
