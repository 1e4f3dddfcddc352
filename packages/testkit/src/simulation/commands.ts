import type { Random } from '@matchyard/core/ports'
import { FAULTS, type FaultKind } from './faults'

/**
 * All kinds of commands, each with its weight in the random choice. Kinds with the weight 0 are for worlds with a rating, and are drawn only
 * by the option `often`.
 */
const WEIGHTS = {
  create: 14,
  join: 3,
  'join-by-code': 3,
  'quick-join': 4,
  leave: 3,
  kick: 2,
  ban: 3,
  unban: 1,
  'renew-code': 1,
  settings: 3,
  'move-queue': 2,
  state: 3,
  enqueue: 14,
  cancel: 5,
  'seek-pair': 8,
  'seek-many': 8,
  'leave-match': 4,
  self: 2,
  accept: 24,
  decline: 3,
  start: 5,
  end: 4,
  delete: 1,
  heartbeat: 4,
  visit: 3,
  'erase-player': 2,
  'ban-player': 2,
  'lift-ban': 4,
  watch: 6,
  'queue-patch': 5,
  trust: 4,
  assign: 6,
  backfill: 12,
  'backfill-cancel': 2,
  'seek-late': 6,
  'keep-seat': 8,
  'free-seat': 3,
  'join-match': 3,
  result: 6,
  'amend-result': 2,
  'process-result': 3,
  'end-match': 1,
  'server-create': 2,
  'server-stop': 2,
  'server-restart': 5,
  'process-ready': 4,
  'process-exit': 3,
  'process-crash': 3,
  'process-shutdown': 1,
  'process-misses-a-player': 5,
  'process-closes': 1,
  'machine-full': 3,
  'machine-cordon': 4,
  'machine-uncordon': 8,
  'machine-drain': 4,
  'machine-breaks': 4,
  'webhook-create': 4,
  'webhook-change': 4,
  'webhook-again': 1,
  'receiver-fails': 3,
  'run-queue': 12,
  'run-jobs': 16,
  reconcile: 8,
  wait: 14,
  'wait-long': 1,
  fault: 20,
  crash: 2,
  'node-gone': 2,
  'storage-goes-back': 3,
  'seek-rated': 0,
  'seek-guest': 0,
  'start-rated': 0,
  'rated-result': 0,
  'result-again': 0,
  'amend-rated': 0,
  'rating-change': 0,
  'rating-queue': 0,
  'rating-delete': 0,
  season: 0,
  leaderboard: 0,
  standings: 0,
  calibration: 0,
} as const

export type CommandKind = keyof typeof WEIGHTS

/**
 * One command of a run. `a`, `b` and `c` choose among the objects that exist when the command starts. So a command
 * keeps its meaning when the simulator leaves out earlier commands.
 */
export interface Command {
  readonly kind: CommandKind
  readonly node: number
  readonly a: number
  readonly b: number
  readonly c: number
  readonly fault: FaultKind
  /** Random number that chooses the order in which pending calls continue after this command. */
  readonly salt: number
  /** Number of turns (a turn lets one waiting port call continue, see `Scheduler`) before the next command. */
  readonly turns: number
}

const KINDS = (Object.entries(WEIGHTS) as [CommandKind, number][]).flatMap(([kind, weight]) =>
  new Array<CommandKind>(weight).fill(kind),
)
const pick = <T>(random: Random, items: readonly T[]): T => items[random.int(items.length)] as T

/**
 * Possible numbers of turns between two commands. With many turns all calls end before the next command; with few turns
 * calls overlap.
 */
const PACES = [
  [0, 1, 2, 3, 5, 8, 20, 200],
  [0, 1, 2, 4, 6, 8, 10, 15],
  [3, 5, 8, 12, 20, 30],
]

/** Kinds of failures that can happen in a run. */
export interface Troubles {
  /**
   * Faults of ports (adapter interfaces), see `FAULTS`. When the list has entries, nodes also crash and start again;
   * when the list is empty, no port fails and no node crashes.
   */
  readonly faults: readonly FaultKind[]
  /** Whether nodes may be lost forever, together with their machines. */
  readonly nodesGone: boolean
  /** Whether the storage may return to an earlier state, in which it was a few commands ago. */
  readonly goesBack: boolean
  /** Whether the operator cordons and drains machines, and machines cannot start servers for a while. */
  readonly machines: boolean
}

/** By kind of command: the kind of failure that must be enabled, or the command is never drawn. */
const BELONGS: Partial<Record<CommandKind, keyof Troubles>> = {
  fault: 'faults',
  crash: 'faults',
  'node-gone': 'nodesGone',
  'storage-goes-back': 'goesBack',
  'machine-cordon': 'machines',
  'machine-uncordon': 'machines',
  'machine-drain': 'machines',
  'machine-breaks': 'machines',
}

/** Returns the commands of one run. The same random numbers give the same commands. */
export function drawCommands(
  random: Random,
  {
    steps,
    nodes,
    troubles,
    often = [],
  }: {
    readonly steps: number
    readonly nodes: number
    readonly troubles: Troubles
    /** Kinds of commands that are drawn additionally, as often as all other kinds together. */
    readonly often?: readonly CommandKind[]
  },
): Command[] {
  const usual = KINDS.filter((kind) => {
    const trouble = BELONGS[kind]
    return trouble === undefined || (trouble === 'faults' ? troubles.faults.length > 0 : troubles[trouble])
  })
  const more = often.flatMap((kind) => new Array<CommandKind>(Math.ceil(usual.length / often.length)).fill(kind))
  const kinds = [...usual, ...more]
  const pace = pick(random, PACES)
  return Array.from({ length: steps }, () => ({
    kind: pick(random, kinds),
    node: random.int(nodes),
    a: random.int(1_000),
    b: random.int(1_000),
    c: random.int(1_000),
    fault: pick(random, troubles.faults),
    salt: random.int(2 ** 31),
    turns: pick(random, pace),
  }))
}

/** Returns a command as one line of a report. */
export function describeCommand({ kind, node, a, b, c, fault, turns }: Command): string {
  const what = kind === 'fault' && fault !== undefined ? `fault: ${FAULTS[fault]}` : `${kind} (${a}, ${b}, ${c})`
  return `node_${node + 1}: ${what}; ${turns} turns`
}
