import { expect } from 'vitest'
import type { Fate } from '../../src/testing/index'
import { whatIsWrongAtRest, whatIsWrongInTheEnd } from './at-rest'
import { comesToRest } from './simulate'
import { World, type WorldOptions } from './world'

/* One launch and one stop, and in each run one thing that goes wrong at one place: every place has its turn. */

const SECOND_MS = 1_000
const RESTS_WITHIN_MS = 120 * SECOND_MS
/** More places than there are, so that a run comes in which nothing is struck. */
export const MOST_PLACES = 400

export type Strike = (
  world: World,
  nth: number,
) => { readonly struck: () => boolean; readonly options?: Partial<WorldOptions> }

/** Whether there was such a place; rejects where it does not come out right. */
export async function launchAndStop(nth: number, prepare: Strike): Promise<boolean> {
  let strikes = { struck: () => false }
  let isBegun = false
  const died = { count: 0, hit: false }
  const world = new World({
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
  world.end()
  return strikes.struck()
}

/** Whoever asked a service that died asks again. */
function stopped(world: World) {
  const wrong = whatIsWrongInTheEnd(world)
  if (wrong.length > 0) world.stopAll()
  return wrong
}

export const dies: Strike = () => ({ struck: () => false })

export const call =
  (fate: Fate): Strike =>
  ({ cluster }, nth) => {
    let calls = 0
    cluster.requests.faults.judge = ({ verb }) => (verb !== 'watch' && calls++ === nth ? fate : 'pass')
    return { struck: () => calls > nth }
  }

export const event =
  (where: 'before' | 'after'): Strike =>
  ({ cluster }, nth) => {
    let events = 0
    cluster.requests.cutWatches() // those that go on are judged from their beginning
    cluster.requests.faults.judgeEvent = () => (events++ === nth ? where : 'pass')
    return { struck: () => events > nth }
  }

export const expired =
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
