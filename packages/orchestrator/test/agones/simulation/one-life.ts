import { expect } from 'vitest'
import type { AllocationFate, Fate } from '../../../src/agones/testing/index'
import { FLEETS, GAMESERVERS, PODS, SECRETS } from '../../../src/agones/testing/index'
import { whatIsWrongAtRest, whatIsWrongInTheEnd } from './at-rest'
import type { TroubleKind } from './commands'
import { whatIsWrongWithPools } from './pools-at-rest'
import { wantNothing } from './queues'
import { comesToRest } from './simulate'
import { World } from './world'

/* One launch, one restart and one stop, with one trouble at one place in each run. The runs try every place in turn. */

const SECOND_MS = 1_000
const RESTS_WITHIN_MS = 120 * SECOND_MS
const POOLED_WITHIN_MS = 320 * SECOND_MS
/**
 * Milliseconds within which a restart is over, beside an outage: the old process ends, a dead node comes back, and a
 * refused call is tried again.
 */
const RESTARTS_WITHIN_MS = 40 * SECOND_MS
/** Milliseconds of an outage of the Kubernetes API or of the network. The timeout of a launch is longer. */
const OUTAGE_MS = 60 * SECOND_MS
const LAUNCH_TIMEOUT_MS = 90 * SECOND_MS
/** More places than a run has, so that a last run meets no trouble. */
export const MOST_PLACES = 400

export type Strike = (
  world: World,
  nth: number,
) => {
  readonly struck: () => boolean
  /** Milliseconds for which no call gets through. */
  readonly outageMs?: number
  /** Whether the trouble may cost the server an attempt. */
  readonly costs?: boolean
}

/**
 * Runs one life with a trouble at the nth place. Returns whether that place exists; rejects when the life goes wrong.
 * `warm`: the launch takes a waiting game server.
 */
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
  // The service may die before the call was answered, and before it recorded a server.
  const [server] = [...world.audit.records.values()]
  if (server !== undefined) {
    const { status, stopReason, launchAttempts } = server
    // A server whose game server was ended from outside may have ended too.
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

/**
 * Returns the violations after a restart. A server is billed and played on meanwhile, so the restart must not take
 * longer than necessary.
 */
function restarted(world: World) {
  const waits = world.audit.live.filter(({ relaunchAt }) => relaunchAt !== null)
  return [
    ...whatIsWrongAtRest(world),
    ...waits.map(({ id }) => ({ invariant: 'aRestartIsSoonOver', message: `${id} waits to be launched again` })),
  ]
}

/** Returns the violations after everything was stopped. A caller repeats a call to a service that died. */
function stopped(world: World) {
  const wrong = whatIsWrongInTheEnd(world)
  if (wrong.length > 0) world.stopAll()
  return [...wrong, ...whatIsWrongWithPools(world)]
}

export const dies: Strike = () => ({ struck: () => false })

/**
 * The service dies after two waiting game servers were taken for its launch, as when Agones does not receive the
 * answers to its own writes.
 */
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

/**
 * Stops all calls for a minute, from the nth call on. `refused`: that call is not carried out. `silent`: it is carried
 * out, but not answered.
 */
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

/** Compacts the log at every call for one second, from the nth call on, while each page of a list holds one object. */
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

/** Begins troubles of the cluster just before the nth call; they are over a few seconds later. */
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

/** Drains the node on which everything runs. */
export const drained = troubled(['drain'], true)

/** Fills all quotas for five seconds, until an operator has made room. */
export const full = troubled(['quota', 'pod quota', 'secret quota'], false)

/** Deletes all objects of a kind just before the nth call, as an operator may do by hand. */
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

/** Sets the outcome of the nth allocation of a waiting game server. */
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
    cluster.requests.cutWatches() // the events of watches are counted from their beginning
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
      // The events that the cut watch has not sent cannot be read any more.
      queueMicrotask(() => cluster.api.store.compact())
      return 'before'
    }
    return { struck: () => events > nth }
  }
