import { expect } from 'vitest'
import type { AllocationFate, Fate } from '../../../src/agones/testing/index'
import { FLEETS, GAMESERVERS, PODS, SECRETS } from '../../../src/agones/testing/index'
import { whatIsWrongAtRest, whatIsWrongInTheEnd } from './at-rest'
import type { TroubleKind } from './commands'
import { whatIsWrongWithPools } from './pools-at-rest'
import { wantNothing } from './queues'
import { comesToRest } from './simulate'
import { World } from './world'

/* One launch, one restart and one stop, and in each run one thing that goes wrong at one place: every place has its turn. */

const SECOND_MS = 1_000
const RESTS_WITHIN_MS = 120 * SECOND_MS
const POOLED_WITHIN_MS = 320 * SECOND_MS
/** Beside an outage: what ran ends, whatever died is back, and what was refused is asked for again. */
const RESTARTS_WITHIN_MS = 40 * SECOND_MS
/** Of the interface, or of the way to it. A launch may take longer. */
const OUTAGE_MS = 60 * SECOND_MS
const LAUNCH_TIMEOUT_MS = 90 * SECOND_MS
/** More places than there are, so that a run comes in which nothing is struck. */
export const MOST_PLACES = 400

export type Strike = (
  world: World,
  nth: number,
) => {
  readonly struck: () => boolean
  /** Nobody gets through for so long. */
  readonly outageMs?: number
  /** It costs the server an attempt where it falls upon it. */
  readonly costs?: boolean
}

/** Whether there was such a place; rejects where it does not come out right. `warm`: it takes one that waits. */
export async function liveOnce(nth: number, prepare: Strike, warm = false): Promise<boolean> {
  let strikes: ReturnType<Strike> = { struck: () => false }
  let isBegun = false
  const died = { count: 0, hit: false }
  const world = new World({
    seed: 7,
    nodes: 1,
    launchTimeoutMs: LAUNCH_TIMEOUT_MS,
    warm,
    onPoint: (_, die) => {
      if (!isBegun || !DEATHS.has(prepare) || died.count++ !== nth) return
      died.hit = true
      die()
    },
  })
  await world.begin()
  if (warm) expect(await comesToRest(world, RESTS_WITHIN_MS, whatIsWrongWithPools)).toBeUndefined()
  isBegun = true
  strikes = prepare(world, nth)
  if (DEATHS.has(prepare)) strikes = { ...strikes, struck: () => died.hit }
  const place = `place ${nth}`
  world.perform({ kind: 'server', at: 0, a: 0, b: 3 })
  expect(await comesToRest(world, RESTS_WITHIN_MS, whatIsWrongAtRest), place).toBeUndefined()
  // A death before the call was answered may be one before there was a server.
  const [server] = [...world.audit.records.values()]
  if (server !== undefined) {
    const { status, stopReason, launchAttempts } = server
    // One that was ended by somebody while it ran has ended.
    if (strikes.costs === true) expect(['running', 'stopped', 'failed'], place).toContain(status)
    else expect(status, `${place}: ${stopReason}`).toBe('running')
    expect(launchAttempts, place).toBeLessThanOrEqual(strikes.costs === true ? 2 : 1)
  }
  world.perform({ kind: 'restart', at: 0, a: 0, b: 0 })
  const restartsWithinMs = RESTARTS_WITHIN_MS + (strikes.outageMs ?? 0)
  expect(await comesToRest(world, restartsWithinMs, restarted), place).toBeUndefined()
  if (warm) expect(await comesToRest(world, POOLED_WITHIN_MS, whatIsWrongWithPools), place).toBeUndefined()
  await wantNothing(world)
  world.stopAll()
  expect(await comesToRest(world, RESTS_WITHIN_MS, (at) => stopped(at)), place).toBeUndefined()
  await world.end()
  return strikes.struck()
}

/** What is billed, and played on, all along is not without a process for longer than it takes. */
function restarted(world: World) {
  const waits = world.audit.live.filter(({ relaunchAt }) => relaunchAt !== null)
  return [
    ...whatIsWrongAtRest(world),
    ...waits.map(({ id }) => ({ invariant: 'aRestartIsSoonOver', message: `${id} waits to be launched again` })),
  ]
}

/** Whoever asked a service that died asks again. */
function stopped(world: World) {
  const wrong = whatIsWrongInTheEnd(world)
  if (wrong.length > 0) world.stopAll()
  return [...wrong, ...whatIsWrongWithPools(world)]
}

export const dies: Strike = () => ({ struck: () => false })

/** It dies while two that waited were taken for its launch, as where Agones does not hear the answers of its own writes. */
export const diesWithTwo: Strike = ({ cluster }) => {
  cluster.requests.faults.judgeAllocation = () => 'twice'
  return { struck: () => false }
}

const DEATHS: ReadonlySet<Strike> = new Set([dies, diesWithTwo])

export const call =
  (fate: Fate): Strike =>
  ({ cluster }, nth) => {
    let calls = 0
    cluster.requests.faults.judge = ({ verb }) => (verb !== 'watch' && calls++ === nth ? fate : 'pass')
    return { struck: () => calls > nth }
  }

/** Nobody gets through for a minute from a call on. `refused`: it does not get there. `silent`: it is carried out, and not answered. */
export const outage =
  (state: 'refused' | 'silent'): Strike =>
  ({ clock, cluster, network }, nth) => {
    let calls = 0
    cluster.requests.faults.judge = ({ verb }) => {
      if (verb === 'watch' || calls++ !== nth) return 'pass'
      network.become(state)
      clock.after(OUTAGE_MS, () => network.become('fine'))
      return state === 'refused' ? 'down' : 'pass'
    }
    return { struck: () => calls > nth, outageMs: OUTAGE_MS }
  }

/** Versions are forgotten as soon as they are asked about, for a second from a call on, while lists come object by object. */
export const forgotten: Strike = ({ clock, cluster: { api, requests } }, nth) => {
  let calls = 0
  let until = Number.NEGATIVE_INFINITY
  api.mostInAPage = 1
  requests.faults.expiredAs = 'status'
  requests.faults.judge = ({ verb }) => {
    if (verb !== 'watch' && calls++ === nth) {
      until = clock.now() + SECOND_MS
      queueMicrotask(() => requests.cutWatches())
    }
    if (clock.now() < until) api.store.compact()
    return 'pass'
  }
  return { struck: () => calls > nth }
}

/** Troubles of the cluster that begin just before a call, and are over a few seconds later. */
const troubled =
  (kinds: readonly TroubleKind[], costs: boolean): Strike =>
  (world, nth) => {
    let calls = 0
    world.cluster.requests.faults.judge = ({ verb }) => {
      if (verb === 'watch' || calls++ !== nth) return 'pass'
      for (const kind of kinds) world.perform({ kind, at: 0, a: 0, b: 0 })
      return 'pass'
    }
    return { struck: () => calls > nth, costs }
  }

/** The node on which everything is. */
export const drained = troubled(['drain'], true)

/** There may be no more of anything: a quota is full for as long as somebody needs to make room. */
export const full = troubled(['quota', 'pod quota', 'secret quota'], false)

/** Somebody deletes all of a kind by hand just before a call. */
export const deleted =
  (kind: 'game servers' | 'pods' | 'configurations' | 'fleets'): Strike =>
  ({ cluster, troubles }, nth) => {
    let calls = 0
    const { store } = cluster.api
    const resource = { 'game servers': GAMESERVERS, pods: PODS, configurations: SECRETS, fleets: FLEETS }[kind]
    cluster.requests.faults.judge = ({ verb }) => {
      if (verb === 'watch' || calls++ !== nth) return 'pass'
      for (const { metadata } of store.list(resource)) {
        if (metadata.name.endsWith('-ended')) continue
        for (const { metadata: its } of store.list(GAMESERVERS)) troubles.touched.add(its.name)
        cluster.api.delete(resource, metadata.namespace, metadata.name, {})
      }
      return 'pass'
    }
    return { struck: () => calls > nth, costs: true }
  }

/** Of what is asked of Agones when a launch takes one that waits. */
export const allocation =
  (fate: AllocationFate): Strike =>
  ({ cluster }, nth) => {
    let allocations = 0
    cluster.requests.faults.judgeAllocation = () => (allocations++ === nth ? fate : 'pass')
    return { struck: () => allocations > nth }
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
