import type { JobKind } from '../commit/jobs'
import { SECOND_MS } from '../shared/time'

export interface Lane {
  readonly kinds: readonly JobKind[]
  /** Jobs in hand at once, on one node. */
  readonly hands: number
  /** Of them, those of one tenant: the others always find a hand. */
  readonly perTenant: number
  /** Whether a tenant may have fewer as the lane's hands fill: those who hang stop each other before the last hand is taken. */
  readonly fewerAsHandsFill?: boolean
}

/**
 * Kinds of jobs that may hold each other up, and none of another lane: each has hands of its own, and inside a lane tenants take
 * turns. A timer is due at an instant and done in milliseconds; a launch takes as long as its machine, and a full one takes none, while
 * what runs there is stopped all the same; a build takes minutes and nobody waits at a screen; what is left may wait for each other.
 */
export const LANES = {
  deadlines: {
    kinds: [
      'watch-lobby',
      'expire-ticket',
      'begin-match',
      'expire-assignment',
      'expire-match',
      'enter-match',
      'expire-backfill',
      'expire-proposal',
      'spread-proposal',
      'expire-server',
      'expire-upload',
      'end-period',
    ],
    hands: 64,
    perTenant: 32,
  },
  launches: { kinds: ['launch-server'], hands: 64, perTenant: 16 },
  servers: { kinds: ['relaunch-server', 'stop-server', 'release-server'], hands: 64, perTenant: 16 },
  // As many as are checked at once: what waits is in the storage, where other nodes may take it.
  builds: { kinds: ['process-build'], hands: 2, perTenant: 1 },
  // A look is one question to the store; what has arrived is read to its end.
  uploads: { kinds: ['watch-upload'], hands: 16, perTenant: 4 },
  // An attempt may take its fifteen seconds: endpoints that hang hold ten hands at most and the fewer the more of them there are.
  webhooks: { kinds: ['send-delivery'], hands: 100, perTenant: 10, fewerAsHandsFill: true },
  rest: {
    kinds: [
      'release-invite-code',
      'rewatch-queue',
      'requeue-tickets',
      'drop-unproven',
      'remove-artifact',
      'clear-project',
      'forget-session',
      'forget-key',
      'erase-player',
      'forget-proposal',
      'prune',
      'prune-events',
    ],
    hands: 16,
    perTenant: 4,
  },
} as const satisfies Readonly<Record<string, Lane>>

export type LaneName = keyof typeof LANES
export const LANE_NAMES = Object.keys(LANES) as readonly LaneName[]

/** Every kind is in exactly one lane; a test holds the table to it. */
export const laneOf = (kind: string): LaneName | undefined =>
  LANE_NAMES.find((name) => (LANES[name].kinds as readonly string[]).includes(kind))

/** A claim lives this long without a word of its worker: what a worker that died had in hand goes on elsewhere within it and a poll. */
export const JOB_LEASE_MS = 3 * SECOND_MS
/** A full node leaves launches to those who have room for so long; what nobody took by then it takes in hand, to note that it waits. */
export const LEFT_TO_OTHERS_MS = 250
/** How often what is in hand is held on to: two may be lost before a claim runs out. */
export const RENEW_EVERY_MS = 1 * SECOND_MS
