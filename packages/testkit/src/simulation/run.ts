import { SECOND_MS } from '@matchyard/core/domain'
import { FakeRandom } from '../fakes/random'
import { follow, watch } from './acts/watch'
import type { Command } from './commands'
import { enterAgain } from './enter-again'
import { Inspector, type Violation } from './inspector'
import { INVARIANTS, noMatchableDuelIsLeft, noSearchOutlivesItsMatch, SETTLED_INVARIANTS } from './invariants/index'
import type { SimulatedNode } from './node'
import { perform } from './perform'
import { ratedAnswers } from './rated-answers'
import { stillness } from './scheduler'
import { strictQueues } from './strict-queues'
import { World, type WorldOptions } from './world'

export interface RunReport {
  readonly violation: Violation | undefined
  /** The last port calls before the end of the run. */
  readonly trace: readonly string[]
  /** Number of calls, by the call's name and result. */
  readonly outcomes: ReadonlyMap<string, number>
  /** Number of turns: in each turn, one port call continues. */
  readonly turns: number
}

/**
 * Names of port calls that cannot change data that an invariant reads. A commit changes its data during the commit's
 * own call.
 */
const CHANGES_NOTHING =
  /^\S+ (hears of|get|find|getMany|proposePorts|counters|leases|presence|events|jobs|tickets|lobbies|servers|machines|builds|matches|queues|changes|messages|deliveries|arrivals)\b/
/** Invariants that hold once nodes have run their ticks and jobs. */
const WORKED_OFF = { noMatchableDuelIsLeft, noSearchOutlivesItsMatch }
const TRACE_LINES = 60
/** Number of commands between two remembered states of the store. */
const REMEMBER_EVERY = 3

/**
 * Seconds of each round at the end of a run: first short rounds; then rounds that are long enough for every lease,
 * timeout, ttl and backoff to end; then time for the follow-ups.
 */
const SETTLING = [
  ...[1, 1, 1, 1, 1, 1, 1, 3, 5, 5, 5, 5, 5, 5],
  ...[10, 20, 20, 30, 40, 40, 40, 30],
  ...[2, 2, 2, 6, 0],
]

/**
 * Runs commands in a new world and checks the invariants after every step. At the end, the function stops all faults
 * and lets all pending work finish.
 */
export async function run(commands: readonly Command[], options: WorldOptions): Promise<RunReport> {
  const world = new World(options)
  const inspector = new Inspector(world)
  await world.begin()
  const violation =
    (await inspector.check(INVARIANTS)) ?? (await act(world, inspector, commands)) ?? (await settle(world, inspector))
  return {
    violation,
    trace: world.trace.slice(-TRACE_LINES),
    outcomes: world.outcomes,
    turns: world.scheduler.turns,
  }
}

async function act(world: World, inspector: Inspector, commands: readonly Command[]): Promise<Violation | undefined> {
  for (const [index, command] of commands.entries()) {
    world.scheduler.random = new FakeRandom(command.salt)
    const node = world.nodes[command.node]
    // A crashed node starts again soon: before one of four commands on this node, on average.
    if (node !== undefined && command.salt % 4 === 0) world.revive(node)
    if (index % REMEMBER_EVERY === 0) world.remember()
    if (inspector.now !== undefined) perform(world, command, inspector.now)
    world.trace.push(`— ${command.kind} on node_${command.node + 1}`)
    const violation = (await inspector.check(INVARIANTS)) ?? (await goOn(world, inspector, command.turns))
    if (violation !== undefined) return violation
  }
  return undefined
}

/** Lets at most `turns` waiting port calls continue, one after another, until no call waits. */
async function goOn(world: World, inspector: Inspector, turns: number): Promise<Violation | undefined> {
  await stillness()
  for (let given = 0; given < turns; given++) {
    const what = await world.scheduler.step()
    if (what === undefined) return undefined
    world.trace.push(what)
    if (CHANGES_NOTHING.test(what) && world.answers.length === 0) continue
    const violation = await inspector.check(INVARIANTS)
    if (violation !== undefined) return violation
  }
  return undefined
}

const UNTIL_QUIET = 20_000
/** Most ticks of a queue that follow each other at once on a node without a worker loop. */
const TICKS_AT_ONCE = 5
/** Most timers that run at the same simulated time. With more timers, the run counts as an endless loop. */
const MAX_IDLE_TIMERS = 500

async function settle(world: World, inspector: Inspector): Promise<Violation | undefined> {
  world.calmDown()
  for (const [round, seconds] of SETTLING.entries()) {
    const violation =
      (await settlingRound(world, inspector, round)) ?? (await live(world, inspector, seconds * SECOND_MS))
    if (violation !== undefined) return violation
  }
  const unsettled =
    (await inspector.check({ ...INVARIANTS, ...SETTLED_INVARIANTS })) ??
    inspector.lagging() ??
    inspector.lacking() ??
    (await followerLags(world, inspector))
  const undelivered = unsettled === undefined ? await world.undelivered() : []
  if (undelivered.length > 0) return { invariant: 'dueDeliveriesAreSent', message: undelivered.join('; ') }
  // The heartbeats of hosts are tested only with worker loops, because only worker loops send them in time.
  const strict = () => (world.loop ? strictQueues(world, inspector, (ms) => live(world, inspector, ms)) : undefined)
  return unsettled ?? (await ratedAnswers(world, inspector)) ?? (await strict()) ?? enterAgain(world, inspector)
}

/** Longer than the longest time that a call for a feed's changes waits. */
const UNTIL_TOLD_MS = 16 * SECOND_MS

/**
 * Returns a violation when the state of the dashboard that reads the project's feed differs from the data that the
 * service returns.
 */
async function followerLags(world: World, inspector: Inspector): Promise<Violation | undefined> {
  const [node] = world.nodes.filter(({ life }) => life.alive)
  if (node === undefined) return undefined
  follow(world, node)
  for (let wait = 0; wait < 2; wait++) {
    const violation = (await live(world, inspector, UNTIL_TOLD_MS)) ?? (await goOn(world, inspector, UNTIL_QUIET))
    if (violation !== undefined) return violation
  }
  const wrong = await world.finish(world.follower.differences(node.matchyard))
  return wrong.length === 0 ? undefined : { invariant: 'aFeedShowsTheAnswers', message: wrong.join('; ') }
}

/**
 * Runs one round at the end of a run: every node that crashed starts again, and nodes without a worker loop run each of
 * their ticks once.
 */
async function settlingRound(world: World, inspector: Inspector, round: number): Promise<Violation | undefined> {
  for (const node of world.nodes) {
    world.revive(node)
    const opened = await goOn(world, inspector, UNTIL_QUIET)
    if (opened !== undefined) return opened
    if (!world.loop) tickAll(world, node)
    const violation = await goOn(world, inspector, UNTIL_QUIET)
    if (violation !== undefined) return violation
  }
  const living = world.nodes.filter(({ life }) => life.alive)
  const [shown] = living
  if (shown !== undefined && round % 3 === 0) follow(world, shown)
  for (const watcher of world.watchers) {
    const node = living[round % living.length]
    if (watcher.nodeId === undefined && round < 3 && node !== undefined) watch(world, node, watcher)
  }
  // After the first six rounds, the leases of directors on crashed nodes have expired, and calls without an answer have
  // been given up.
  return inspector.check(round > 5 ? { ...INVARIANTS, ...WORKED_OFF } : INVARIANTS)
}

function tickAll(world: World, node: SimulatedNode): void {
  world.call(node, 'tick servers', (matchyard) => matchyard.worker.reconcileServers())
  world.call(node, 'tick jobs', (matchyard) => matchyard.worker.runDueJobs())
  world.call(node, 'tick nodes', (matchyard) => matchyard.worker.watchNodes())
  for (const key of world.place.queueKeys) {
    world.call(node, 'tick queue', async ({ matchmaking }) => {
      // A tick whose match lost a race asks for another tick at once, for the parties that still wait.
      for (let tick = 0; tick < TICKS_AT_ONCE; tick++) {
        const { dueAt } = await matchmaking.runQueue(key)
        if (dueAt === undefined || dueAt > world.clock.now()) return
      }
    })
  }
}

/** Lets time pass: in one step, or from timer to timer when the nodes run worker loops. */
async function live(world: World, inspector: Inspector, ms: number): Promise<Violation | undefined> {
  if (!world.loop) {
    world.passTime(ms)
    return undefined
  }
  const end = world.clock.now() + ms
  const begun = await goOn(world, inspector, UNTIL_QUIET)
  if (begun !== undefined) return begun
  for (let idle = 0; world.clock.now() < end; ) {
    const at = Math.min(end, world.clock.nextTimerAt() ?? end)
    idle = at > world.clock.now() ? 0 : idle + 1
    if (idle > MAX_IDLE_TIMERS)
      return { invariant: 'aLoopWaits', message: 'a loop goes on and on without any time passing' }
    world.passTime(Math.max(0, at - world.clock.now()))
    const violation = await goOn(world, inspector, UNTIL_QUIET)
    if (violation !== undefined) return violation
  }
  return undefined
}
