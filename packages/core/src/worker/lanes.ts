import type { JobKind } from '../commit/jobs'
import { SECOND_MS } from '../shared/time'

export interface Lane {
  readonly kinds: readonly JobKind[]
  /** Jobs that may run at the same time on one node. */
  readonly hands: number
  /** Jobs of one tenant that may run at the same time, so that other tenants always find a free hand. */
  readonly perTenant: number
  /** Whether the share of a tenant shrinks as the lane fills: slow tenants then wait for each other before the last hand is taken. */
  readonly fewerAsHandsFill?: boolean
}

/**
 * Lanes: groups of jobs that may delay each other, but no job of another lane. Each lane has its own hands (jobs that run at the same
 * time), and tenants take turns in it. A deadline is due at one time and takes milliseconds. A launch takes as long as its machine needs; a
 * full machine starts none, while stops continue. A build takes minutes. The other kinds may wait for each other.
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
  // Builds processed at the same time. Other builds wait in the storage, where other nodes may claim them.
  builds: { kinds: ['process-build'], hands: 2, perTenant: 1 },
  // A check is one request to the build store; an archive that has arrived is read to its end.
  uploads: { kinds: ['watch-upload'], hands: 16, perTenant: 4 },
  // An attempt may take 15 seconds. Endpoints that hang hold at most ten hands each, and fewer when many endpoints hang.
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

/** Returns the lane of a kind; a test ensures that every kind is in exactly one lane. */
export const laneOf = (kind: string): LaneName | undefined =>
  LANE_NAMES.find((name) => (LANES[name].kinds as readonly string[]).includes(kind))

/** Milliseconds of a lease without renewal. The jobs of a dead worker continue elsewhere within this time and one poll. */
export const JOB_LEASE_MS = 3 * SECOND_MS
/** Milliseconds for which a full node leaves launches to nodes with capacity. After that it claims them to record that they wait. */
export const LEFT_TO_OTHERS_MS = 250
/** Milliseconds between two renewals: two may fail before a lease expires. */
export const RENEW_EVERY_MS = 1 * SECOND_MS
