import type { JobKind } from '../commit/jobs'
import { isConsumeKind } from '../consumer/job-kind'
import { SECOND_MS } from '../shared/time'

export interface Lane {
  readonly kinds: readonly JobKind[]
  /** Maximum number of jobs that run at the same time on one node. */
  readonly hands: number
  /** Maximum number of jobs of one tenant that run at the same time, so that other tenants always find a free job slot. */
  readonly perTenant: number
  /**
   * Whether the share of a tenant shrinks as the job slots of the lane fill. Slow tenants then wait for each other before the last job slot
   * is taken.
   */
  readonly fewerAsHandsFill?: boolean
}

/**
 * Lanes: groups of job kinds. Jobs of one lane may delay each other, but no job of another lane. Each lane has its own job slots (`hands`),
 * and tenants take turns in it. Kinds of jobs are in different lanes for these reasons. A deadline is due at a fixed time and takes
 * milliseconds. A launch takes as long as its machine needs. A machine without capacity starts no launches, but stops of servers must
 * continue. The processing of a build takes minutes. Other kinds of jobs may wait for each other.
 */
export const LANES = {
  deadlines: {
    kinds: [
      'watch-lobby',
      'expire-ticket',
      'requeue-lobby',
      'begin-match',
      'expire-assignment',
      'end-other-searches',
      'expire-match',
      'enter-match',
      'expire-backfill',
      'expire-seats',
      'expire-proposal',
      'spread-proposal',
      'expire-server',
      'end-drain',
      'expire-upload',
      'end-period',
      'end-searches',
    ],
    hands: 64,
    perTenant: 32,
  },
  launches: { kinds: ['launch-server'], hands: 64, perTenant: 16 },
  servers: { kinds: ['relaunch-server', 'stop-server', 'release-server'], hands: 64, perTenant: 16 },
  // A log has a megabyte, and a build store that does not answer may take seconds to say so.
  logs: { kinds: ['keep-log', 'prune-logs'], hands: 4, perTenant: 2 },
  // Only a few builds are processed at the same time. The jobs of other builds wait in the storage, where other nodes may claim them.
  builds: { kinds: ['process-build'], hands: 2, perTenant: 1 },
  // A check for an uploaded archive is one request to the build store. When an archive has arrived, the job reads the whole archive.
  uploads: { kinds: ['watch-upload'], hands: 16, perTenant: 4 },
  // An attempt to send a message may take 15 seconds. An endpoint that does not answer occupies at most ten job slots, and fewer when many
  // endpoints do not answer.
  webhooks: { kinds: ['send-delivery'], hands: 100, perTenant: 10, fewerAsHandsFill: true },
  // The handlers of consumers are code of the embedding application. The kinds of these jobs are those of the consumers on this node.
  consumers: { kinds: [], hands: 16, perTenant: 8 },
  rest: {
    kinds: [
      'release-invite-code',
      'rewatch-queue',
      'requeue-tickets',
      'settle-states',
      'drain-build',
      'watch-drain',
      'stop-build',
      'remove-artifact',
      'clear-project',
      'forget-session',
      'forget-key',
      'erase-player',
      'clear-rating',
      'clear-consumer',
      'forget-backlog',
      'forget-proposal',
      'prune',
      'prune-events',
      'roll-up',
      'watch-problems',
      'watch-budget',
    ],
    hands: 16,
    perTenant: 4,
  },
} as const satisfies Readonly<Record<string, Lane>>

/** Name of a lane (a group of job kinds on one node). */
export type LaneName = keyof typeof LANES
/** Names of the lanes. */
export const LANE_NAMES = Object.keys(LANES) as readonly LaneName[]

/** Lanes of the jobs that concern the game servers of one machine. The payload of each of their jobs may name a server. */
export const MACHINE_LANES = ['launches', 'servers', 'logs'] as const satisfies readonly LaneName[]
/** Name of a lane of `MACHINE_LANES`. */
export type MachineLane = (typeof MACHINE_LANES)[number]

/** Whether the jobs of the lane concern the game servers of one machine. */
export const isMachineLane = (lane: LaneName): lane is MachineLane =>
  (MACHINE_LANES as readonly LaneName[]).includes(lane)

/** Returns the lane of a kind of job. A test proves that every kind is in exactly one lane. */
export const laneOf = (kind: string): LaneName | undefined =>
  isConsumeKind(kind) ? 'consumers' : LANE_NAMES.find((name) => (LANES[name].kinds as readonly string[]).includes(kind))

/**
 * Milliseconds for which a node without free capacity leaves launches to nodes with capacity. After that, the node claims the launches, to
 * record that their servers wait.
 */
export const LEFT_TO_OTHERS_MS = 250
/** Milliseconds between two renewals of a lease. Two renewals may fail before the lease expires. */
export const RENEW_EVERY_MS = 1 * SECOND_MS
