import { describe, expect, test } from 'vitest'
import type { Fate } from '../../src/testing/index'
import { whatIsWrongAtRest, whatIsWrongInTheEnd } from './at-rest'
import { comesToRest } from './simulate'
import { World, type WorldOptions } from './world'

/* One launch and one stop, and in each run one thing that goes wrong at one place: every place has its turn. */

const SECOND_MS = 1_000
const RESTS_WITHIN_MS = 120 * SECOND_MS
/** Every place under `npm run prove:agones-simulation`, else every one of so many. */
const STRIDE = process.env.MATCHYARD_SIMULATIONS === undefined ? 5 : 1
/** More places than there are, so that a run comes in which nothing is struck. */
const MOST_PLACES = 400

type Strike = (
  world: World,
  nth: number,
) => { readonly struck: () => boolean; readonly options?: Partial<WorldOptions> }

async function launchAndStop(nth: number, prepare: Strike): Promise<boolean> {
  let strikes = { struck: () => false }
  let world: World | undefined
  let isBegun = false
  const died = { count: 0, hit: false }
  world = new World({
    seed: 7,
    nodes: 1,
    launchTimeoutMs: 90 * SECOND_MS,
    onPoint: (_, die) => {
      if (!isBegun || prepare !== dies || died.count++ !== nth) return
      died.hit = true
      die()
    },
  })
  await world.begin()
  isBegun = true
  if (prepare === dies) strikes = { struck: () => died.hit }
  else strikes = prepare(world, nth)
  const place = `place ${nth}`
  world.perform({ kind: 'server', at: 0, a: 0, b: 3 })
  expect(await comesToRest(world, RESTS_WITHIN_MS, whatIsWrongAtRest), place).toBeUndefined()
  // A death before the call was answered may be one before there was a server.
  const [server] = [...world.audit.records.values()]
  if (server !== undefined)
    expect(server, `${place}: ${server.stopReason}`).toMatchObject({ status: 'running', launchAttempts: 1 })
  world.stopAll()
  expect(await comesToRest(world, RESTS_WITHIN_MS, (at) => stopped(at)), place).toBeUndefined()
  world.cluster.stop()
  for (const service of world.services) service.die()
  return strikes.struck()
}

/** Whoever asked a service that died asks again. */
function stopped(world: World) {
  const wrong = whatIsWrongInTheEnd(world)
  if (wrong.length > 0) world.stopAll()
  return wrong
}

const dies: Strike = () => ({ struck: () => false })

const call =
  (fate: Fate): Strike =>
  ({ cluster }, nth) => {
    let calls = 0
    cluster.requests.faults.judge = ({ verb }) => (verb !== 'watch' && calls++ === nth ? fate : 'pass')
    return { struck: () => calls > nth }
  }

const event =
  (where: 'before' | 'after'): Strike =>
  ({ cluster }, nth) => {
    let events = 0
    cluster.requests.cutWatches() // those that go on are judged from their beginning
    cluster.requests.faults.judgeEvent = () => (events++ === nth ? where : 'pass')
    return { struck: () => events > nth }
  }

const expired =
  (as: 'status' | 'event'): Strike =>
  ({ cluster }, nth) => {
    let events = 0
    cluster.requests.faults.expiredAs = as
    cluster.requests.cutWatches()
    cluster.requests.faults.judgeEvent = () => {
      if (events++ !== nth) return 'pass'
      // What the cut watch has not told is not to be had any more.
      queueMicrotask(() => cluster.api.store.compact())
      return 'before'
    }
    return { struck: () => events > nth }
  }

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
