import type { JobKind } from '../commit/jobs'
import { SECOND_MS } from '../shared/time'

export interface Lane {
  readonly kinds: readonly JobKind[]
  /** Jobs in hand at once, on one node. */
  readonly hands: number
  /** Number of hands for one tenant: other tenants always find a free hand. */
  readonly perTenant: number
  /** Whether the share of a tenant shrinks as the lane's hands fill: slow tenants stop each other before the last hand is taken. */
  readonly fewerAsHandsFill?: boolean
}

/**
 * Lanes: groups of jobs that may delay each other but no other lane. Each lane has hands of its own, and tenants take turns inside it. A timer
 * is due at an instant and takes milliseconds. A launch takes as long as its machine; a full machine takes none, while stops continue. A build
 * takes minutes, and no person waits for it. The remaining kinds may wait for each other.
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
  // Number of builds processed at once: the waiting ones are in the storage, where other nodes may take them.
  builds: { kinds: ['process-build'], hands: 2, perTenant: 1 },
  // A check is one question to the store; an arrived archive is read to its end.
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

/** Milliseconds of a claim without renewal: the jobs of a dead worker continue elsewhere within this time and a poll. */
export const JOB_LEASE_MS = 3 * SECOND_MS
/** Time for which a full node leaves launches to nodes with capacity; it then takes them to record that they wait. */
export const LEFT_TO_OTHERS_MS = 250
/** How often what is in hand is held on to: two may be lost before a claim runs out. */
export const RENEW_EVERY_MS = 1 * SECOND_MS
