import { FakeRandom } from '@matchyard/testkit'
import { shrink } from '@matchyard/testkit/simulation'
import { notesAreBounded, whatIsWrongAtRest, whatIsWrongInTheEnd } from './at-rest'
import type { Violation } from './audit'
import { type Command, describeCommand, drawCommands, TROUBLE_KINDS, type TroubleKind } from './commands'
import { whatIsWrongWithPools } from './pools-at-rest'
import { wantNothing } from './queues'
import { World } from './world'

export interface SimulationOptions {
  readonly seed: number
  readonly nodes?: number
  /** Whether game servers wait for matches; absent: the seed decides. */
  readonly warm?: boolean
  readonly commands?: number
  readonly troubles?: readonly TroubleKind[]
  /** How many times a failing run is repeated with fewer commands, at most. */
  readonly shrinkTries?: number
}

export interface Failure extends Violation {
  readonly seed: number
  readonly commands: readonly Command[]
}

export interface Result {
  readonly failure: Failure | undefined
  readonly outcomes: ReadonlyMap<string, number>
}

const SECOND_MS = 1_000
const TROUBLED_MS = 60 * SECOND_MS
/** Milliseconds within which every deadline, backoff and pause has passed. */
const CALM_MS = 200 * SECOND_MS
/** Milliseconds for pools: if a pool's servers do not stay up, the next try comes after five minutes at most. */
const POOLED_MS = 320 * SECOND_MS
const STOPPED_MS = 60 * SECOND_MS
/** Milliseconds after which the service has pruned its notes. */
const PRUNED_MS = 620 * SECOND_MS
/** One run in this many goes on until the service has pruned its notes. */
const PRUNED_RUNS = 20
const LOOK_EVERY_MS = 4 * SECOND_MS

/**
 * Runs a whole service against a whole cluster by a seed. A failure comes with a small set of commands that causes it.
 */
export async function simulate(options: SimulationOptions): Promise<Result> {
  const { seed, troubles = TROUBLE_KINDS, commands: count = 18, shrinkTries = 60 } = options
  const commands = drawCommands(new FakeRandom(seed), { count, withinMs: TROUBLED_MS, troubles })
  const { violation, outcomes } = await run(options, commands)
  if (violation === undefined) return { failure: undefined, outcomes }
  const sameWay = async (fewer: readonly Command[]) =>
    (await run(options, fewer)).violation?.invariant === violation.invariant
  const fewest = await shrink(commands, sameWay, shrinkTries)
  const shortest = fewest.length < commands.length ? (await run(options, fewest)).violation : violation
  return { failure: { ...(shortest ?? violation), seed, commands: fewest }, outcomes }
}

export const describeFailure = ({ seed, invariant, message, commands }: Failure): string =>
  [`seed ${seed} broke ${invariant}: ${message}`, ...commands.map((one) => `  ${describeCommand(one)}`)].join('\n')

async function run({ seed, nodes = 1, warm = seed % 4 < 2 }: SimulationOptions, commands: readonly Command[]) {
  const launchTimeoutMs = seed % 3 === 0 ? 30 * SECOND_MS : 90 * SECOND_MS
  const world = new World({ seed, nodes, launchTimeoutMs, warm })
  const violation = await livedThrough(world, commands)
  const told = world.containers.all.filter((one) => one.isWarm && one.told !== '')
  world.audit.outcomes.set('one that waited was told', told.length)
  await world.end()
  return { violation, outcomes: world.audit.outcomes }
}

async function livedThrough(world: World, commands: readonly Command[]): Promise<Violation | undefined> {
  await world.begin()
  const begun = world.clock.now()
  for (const command of commands) {
    if (!(await world.pass(Math.max(0, begun + command.at - world.clock.now())))) return world.violation
    world.perform(command)
  }
  if (!(await world.pass(Math.max(0, begun + TROUBLED_MS - world.clock.now())))) return world.violation
  // An outage of a minute lasts the whole minute, even if it began late.
  if (!(await world.pass(Math.max(0, world.troubles.awayUntil - world.clock.now())))) return world.violation
  world.calmDown()
  const unsettled = await comesToRest(world, CALM_MS, whatIsWrongAtRest)
  if (unsettled !== undefined) return unsettled
  if (whatIsWrongWithPools(world).length > 0) {
    const unpooled = await comesToRest(world, POOLED_MS, whatIsWrongWithPools)
    if (unpooled !== undefined) return unpooled
  }
  await wantNothing(world)
  world.stopAll()
  const isLeft = (at: World) => [...whatIsWrongInTheEnd(at), ...whatIsWrongWithPools(at)]
  const left = await comesToRest(world, STOPPED_MS, isLeft)
  if (left !== undefined || world.random.int(PRUNED_RUNS) !== 0) return left
  return (await world.pass(PRUNED_MS)) ? notesAreBounded(world) : world.violation
}

/**
 * Lets time pass until two successive looks find no violation. Returns a violation that remains after the given time.
 */
export async function comesToRest(
  world: World,
  withinMs: number,
  judge: (world: World) => readonly Violation[],
): Promise<Violation | undefined> {
  const until = world.clock.now() + withinMs
  for (let looks = 0; looks < 2; ) {
    if (!(await world.pass(LOOK_EVERY_MS))) return world.violation
    const [wrong] = judge(world)
    looks = wrong === undefined ? looks + 1 : 0
    if (wrong !== undefined && world.clock.now() >= until) return wrong
  }
  return undefined
}
