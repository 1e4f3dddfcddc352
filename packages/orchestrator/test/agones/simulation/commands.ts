import type { FakeRandom } from '@matchyard/testkit'
import { GRAIN_MS } from './life'

/** Actions of players and studios. */
const DEEDS = ['match', 'server', 'end', 'stop', 'restart', 'build'] as const
/** Troubles, with their effects. A trouble lasts for some time, or happens once. */
const TROUBLES = {
  lossy: 'answers of calls that were carried out are lost, and calls on their way',
  refused: 'the interface is down',
  silent: 'packets vanish both ways',
  throttled: 'calls are refused with 429 and a time to wait',
  errors: 'the interface answers 500',
  stranger: 'somebody else writes to each object just before it is patched',
  compact: 'the versions that watches, and the next pages of lists, would go on from are forgotten: 410',
  cut: 'watches are cut',
  behind: 'watches fall behind: what they tell comes later than the answers of calls',
  'cut at events': 'watches are cut before or after each event',
  quota: 'the namespace may hold no more game servers',
  'pod quota': 'the namespace may hold no more pods',
  'secret quota': 'the namespace may hold no more secrets',
  'delete game server': 'somebody deletes a game server by hand',
  'delete pod': 'somebody deletes a pod by hand',
  'force-delete pod': 'somebody deletes a pod with no grace',
  'delete secret': 'somebody deletes a configuration by hand',
  drain: 'a node of the cluster is drained',
  full: 'nodes of the cluster have room for one pod',
  'agones away': "Agones' controller is down",
  contention: 'allocations meet contention',
  'allocations fail': 'allocations answer 500, and may have been made',
  'pods are sealed': 'a policy lets nobody tell a pod its configuration',
  'allocate twice': 'Agones loses the answers of its own writes: an allocation takes two',
  'delete fleet': 'somebody deletes a fleet by hand, with all that it has made',
  kill: 'a node of the service dies at its next point but so many',
} as const

export type TroubleKind = keyof typeof TROUBLES
export const TROUBLE_KINDS = Object.keys(TROUBLES) as readonly TroubleKind[]
export type CommandKind = (typeof DEEDS)[number] | TroubleKind

export interface Command {
  readonly kind: CommandKind
  /** Milliseconds after the start of the run. */
  readonly at: number
  /** Random numbers, from which the world selects the object and the duration of the command. */
  readonly a: number
  readonly b: number
}

export const describeCommand = ({ kind, at, a, b }: Command): string => `${(at / 1_000).toFixed(1)} s ${kind} ${a} ${b}`

const BIG = 1_000_000

/** Draws commands at random, within some milliseconds. */
export function drawCommands(
  random: FakeRandom,
  { count, withinMs, troubles }: { count: number; withinMs: number; troubles: readonly TroubleKind[] },
): Command[] {
  const some = (): CommandKind => {
    // Only about two commands in five are troubles: if everything failed at once, nothing would happen.
    const isTrouble = random.int(5) < 2 && troubles.length > 0
    const kinds: readonly CommandKind[] = isTrouble ? troubles : ['match', 'match', 'server', 'server', ...DEEDS]
    return kinds[random.int(kinds.length)] ?? 'match'
  }
  return Array.from({ length: count }, () => ({
    kind: some(),
    at: GRAIN_MS * random.int(withinMs / GRAIN_MS),
    a: random.int(BIG),
    b: random.int(BIG),
  })).sort((x, y) => x.at - y.at)
}
