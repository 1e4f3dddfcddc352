import { whatIsWrongAtRest, whatIsWrongInTheEnd } from '../../test/agones/simulation/at-rest'
import { packAtOnce } from '../../test/agones/simulation/packing'
import { comesToRest } from '../../test/agones/simulation/simulate'
import { World } from '../../test/agones/simulation/world'

packAtOnce()

const SECOND_MS = 1_000
const RESTS_WITHIN_MS = 120 * SECOND_MS
/** Milliseconds for which a match is played here. */
const PLAYED_MS = 60 * SECOND_MS

/**
 * Number of matches counted for each kind of life. Each has its own seed, since nodes interact differently in each run.
 */
export const MATCHES = 4

export interface Life {
  /** Number of nodes of the service; each node watches the cluster and corrects differences. */
  readonly nodes: number
  /** Whether the match takes a game server from a warm pool. */
  readonly warm: boolean
  /** How the game server ends: the match is ended and its server asked to stop, or the process exits by itself. */
  readonly ends: 'by a stop' | 'by itself'
}

export interface Calls {
  /** Calls from the second player's call until the game server runs. */
  readonly launch: number
  /** Calls while the game server runs. */
  readonly play: number
  /** Calls from the end of the match until only the note of its server is left. */
  readonly end: number
}

/**
 * Returns the number of API calls to the cluster for one match, through the whole service, in simulated time. Not
 * counted: watches, which stay open, and lists of fleets, whose number depends on time and not on matches.
 */
export async function callsOf({ nodes, warm, ends }: Life, seed: number): Promise<Calls> {
  const world = new World({ seed, nodes, launchTimeoutMs: 90 * SECOND_MS, warm, onPoint: () => {} })
  world.cluster.api.mostInAPage = Number.POSITIVE_INFINITY
  try {
    await world.begin()
    await world.pass(20 * SECOND_MS)
    let count = 0
    world.cluster.requests.faults.judge = ({ verb, resource }) => {
      if (verb !== 'watch' && !(verb === 'list' && resource === 'fleets')) count++
      return 'pass'
    }
    const counted = () => {
      const before = count
      count = 0
      return before
    }
    world.perform({ kind: 'match', at: 0, a: 0, b: 0 })
    await rested(world, whatIsWrongAtRest)
    const launch = counted()
    const [server] = world.audit.live
    const [container] = world.containers.alive
    if (server?.status !== 'running' || container === undefined) throw new Error('its game server does not run')
    await world.pass(PLAYED_MS)
    const play = counted()
    world.matches.mayEnd(server.matchId ?? '')
    world.matches.mayEnd(server.id)
    if (ends === 'by itself') world.containers.forget(container.uid)
    else world.perform({ kind: 'end', at: 0, a: 0, b: 0 })
    await rested(world, whatIsWrongInTheEnd)
    return { launch, play, end: counted() }
  } finally {
    await world.end()
  }
}

async function rested(world: World, judge: typeof whatIsWrongAtRest): Promise<void> {
  const wrong = await comesToRest(world, RESTS_WITHIN_MS, judge)
  if (wrong !== undefined) throw new Error(`${wrong.invariant}: ${wrong.message}`)
}

/**
 * Returns the mean over all seeds, rounded up to a multiple of five: for planning, one call more makes no difference.
 */
export async function meanOf(counted: (seed: number) => Promise<Calls>): Promise<Calls> {
  const all: Calls[] = []
  for (let seed = 1; seed <= MATCHES; seed++) all.push(await counted(seed))
  const mean = (of: keyof Calls) => 5 * Math.ceil(all.reduce((sum, calls) => sum + calls[of], 0) / all.length / 5)
  return { launch: mean('launch'), play: mean('play'), end: mean('end') }
}
