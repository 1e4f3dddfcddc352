import type { Instant } from '../shared/time'
import type { InviteCodeConfig } from './invite-code'
import type { QueueMatchmaking } from './matchmaking'
import type { ServerSettings } from './server-settings'

/** Behaviour when the host leaves. `promote`: the player who joined earliest becomes host. `delete`: the lobby is deleted. */
export const HOST_LEAVE_BEHAVIORS = ['promote', 'delete'] as const
/** Behaviour when the host leaves, one of `HOST_LEAVE_BEHAVIORS`. */
export type HostLeaveBehavior = (typeof HOST_LEAVE_BEHAVIORS)[number]

/** Settings of a queue that its developer chooses. */
export interface QueueConfig {
  /** Display name, 1 to 128 characters. */
  readonly name: string
  /** Whether the queue accepts lobbies. Default: true. */
  readonly enabled: boolean
  /** Maximum number of players in a lobby, 1 to 100. Default: 10. */
  readonly maxPlayers: number
  /** Maximum seconds that a ticket waits, 1 to 315,360,000. Default: 300. */
  readonly timeoutSeconds: number
  /** Whether members who send no sign of life are removed from their lobby. Default: false. */
  readonly heartbeat: boolean
  /** Seconds without a sign of life after which a member is removed, with `heartbeat`. Default: 60. */
  readonly heartbeatTimeoutSeconds: number
  /** Behaviour when the host leaves. Default: `promote`. */
  readonly hostLeaveBehavior: HostLeaveBehavior
  /** Seconds after which an idle lobby is deleted. Default: 3,600. */
  readonly lobbyTtlSeconds: number
  /**
   * Maximum seconds that a match may run, when the service does not run its server; null: no limit. A match whose server the service runs
   * ends with the server. Default: 86,400 (a day).
   */
  readonly matchTtlSeconds: number | null
  /**
   * Whether players may be in several live matches at the same time. Players of a match that was made while this was false cannot enter
   * another such match. Default: false.
   */
  readonly concurrentMatches: boolean
  /**
   * Seconds after which a lobby in the queue counts as absent when a client put it there and none of its players was heard; an absent lobby
   * is not matched. 0: lobbies never count as absent. Default: 30.
   */
  readonly presenceTimeoutSeconds: number
  /**
   * Seconds without a sign of life after which a member of a lobby in a match is removed, with `heartbeat`; 0: never; null: as
   * `heartbeatTimeoutSeconds`. Default: null.
   */
  readonly inGameHeartbeatTimeoutSeconds: number | null
  /**
   * Seconds for which a player who leaves a running match of the queue cannot enter the queue, 0 to 86,400. Default: 0, no penalty.
   */
  readonly leaverPenaltySeconds: number
  /** Whether the service puts a party back into the queue when its match fails to launch. Default: false. */
  readonly requeueOnFailure: boolean
  /** Invite codes of the queue's lobbies. */
  readonly inviteCodeConfig: InviteCodeConfig
  /** Settings of the matches' servers; null: matches have no server. Default: null. */
  readonly serverSettings: ServerSettings | null
  /** Matchmaking rules and team sizes; null: lobbies can only be started directly. Default: null. */
  readonly matchmaking: QueueMatchmaking | null
  /** Id of the rating that the results of the queue's matches change; null: none. Default: null. */
  readonly rating: string | null
  /** Field of player states into which the rating of a player is written on entering the queue. Default: `mmr`. */
  readonly ratingField: string
  /** Whether direct starts of the queue's lobbies count for the rating too. Default: false. */
  readonly ratedStarts: boolean
  /**
   * Fields of player states that clients may not write. Their values come from a player token or from the project's backend. Default: none.
   */
  readonly trustedFields?: readonly string[] | null
}

/** A queue: a developer's settings for lobbies, matchmaking and the server to launch. `id` is `{projectId}/{queueId}`. */
export interface Queue extends QueueConfig {
  /** Id of the row: `{projectId}/{queueId}`. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Project of the queue. */
  readonly projectId: string
  /** Id by which games name the queue: 1 to 64 characters of a-z, 0-9 and underscore. The developer chooses it. */
  readonly queueId: string
  /**
   * Instant at which the queue's timeouts last became stricter: shorter, or heartbeats were switched on. The silence of players before this
   * instant does not count. Absent when the timeouts never became stricter.
   */
  readonly watchedSince?: Instant
  /** Time of creation. */
  readonly createdAt: Instant
  /** Time of the last change. */
  readonly updatedAt: Instant
}

/** Fields that may be absent, but not null. The mapped type keeps the documentation of each field. */
type GivenOrAbsent<Fields> = { readonly [Name in keyof Fields]?: NonNullable<Fields[Name]> | undefined }

/**
 * Settings of a new or changed queue. In a new queue an absent setting gets its default; in a changed queue it keeps its value
 * (docs/http-api.md §5).
 */
export type QueueSettings = GivenOrAbsent<
  Omit<QueueConfig, 'inviteCodeConfig' | 'matchTtlSeconds' | 'inGameHeartbeatTimeoutSeconds' | 'rating'>
> & {
  /** Invite codes of the queue's lobbies. An absent field gets its default, or keeps its value at a change. */
  readonly inviteCodeConfig?: Partial<InviteCodeConfig> | undefined
  /** Seconds after which a match without a server of the service ends by itself; null: never. Default: 86,400. */
  readonly matchTtlSeconds?: number | null | undefined
  /**
   * As `heartbeatTimeoutSeconds`, for lobbies in a match, 0 to 86,400; 0: silent players stay. Default: null, the value of
   * `heartbeatTimeoutSeconds`.
   */
  readonly inGameHeartbeatTimeoutSeconds?: number | null | undefined
  /** Id of the rating that the results of the queue's matches change; null: none. Default: null. */
  readonly rating?: string | null | undefined
}

/** Fields into which the service writes the rating of a player, and its uncertainty. */
export interface RatingFields {
  readonly value: string
  readonly uncertainty: string
}

/** Id of the rating of a queue, and its fields; undefined without a rating. Rows of an earlier release have none. */
export const ratingOf = ({
  rating,
  ratingField = QUEUE_DEFAULTS.ratingField,
}: Partial<Pick<Queue, 'rating' | 'ratingField'>>):
  | { readonly ratingId: string; readonly fields: RatingFields }
  | undefined =>
  rating == null
    ? undefined
    : { ratingId: rating, fields: { value: ratingField, uncertainty: `${ratingField}_uncertainty` } }

/** Returns the fields of player states that clients of the queue may not write. The fields of a rating are always among them. */
export function trustedFieldsOf(queue: RatedFields): readonly string[] {
  const fields = ratingOf(queue)?.fields
  const own = queue.trustedFields ?? []
  return fields === undefined ? own : [...new Set([...own, fields.value, fields.uncertainty])]
}

/** Settings of a queue that say which fields clients may not write. */
export type RatedFields = Pick<Queue, 'trustedFields'> & Partial<Pick<Queue, 'rating' | 'ratingField'>>

/**
 * Returns the maximum seconds that a match may run, when the service does not run its server; null: no limit. Rows of an earlier release
 * have no value and get the default.
 */
export const matchTtlOf = ({
  matchTtlSeconds = QUEUE_DEFAULTS.matchTtlSeconds,
}: Partial<Pick<Queue, 'matchTtlSeconds'>>): number | null => matchTtlSeconds

/**
 * Whether matches of the queue claim their players, so that a player can be in only one of them at a time. Rows of an earlier release have
 * no value and get the default.
 */
export const claimsPlayers = ({
  concurrentMatches = QUEUE_DEFAULTS.concurrentMatches,
}: Partial<Pick<Queue, 'concurrentMatches'>>): boolean => !concurrentMatches

/** Returns the seconds of the penalty for leaving a running match; 0: no penalty. Rows of an earlier release get the default. */
export const leaverPenaltyOf = ({
  leaverPenaltySeconds = QUEUE_DEFAULTS.leaverPenaltySeconds,
}: Partial<Pick<Queue, 'leaverPenaltySeconds'>>): number => leaverPenaltySeconds

/** Whether the service puts parties back into the queue when their match fails to launch. Rows of an earlier release get the default. */
export const requeuesOnFailure = ({
  requeueOnFailure = QUEUE_DEFAULTS.requeueOnFailure,
}: Partial<Pick<Queue, 'requeueOnFailure'>>): boolean => requeueOnFailure

export const queueKey = (projectId: string, queueId: string): string => `${projectId}/${queueId}`

/** Defaults of a queue's settings. */
export const QUEUE_DEFAULTS = {
  /** Lobbies can be created in the queue and matched. */
  enabled: true,
  /** At most 10 players in a lobby. */
  maxPlayers: 10,
  /** A search ends after 300 seconds. */
  timeoutSeconds: 300,
  /** Silent players are not removed. */
  heartbeat: false,
  /** Where `heartbeat` is on, players are removed after 60 seconds of silence. */
  heartbeatTimeoutSeconds: 60,
  /** The next player becomes host when the host leaves. */
  hostLeaveBehavior: 'promote',
  /** A lobby is deleted after 3,600 seconds without activity. */
  lobbyTtlSeconds: 3_600,
  /** A match without a server of the service ends after 86,400 seconds. */
  matchTtlSeconds: 86_400,
  /** A player is in one live match at most. */
  concurrentMatches: false,
  /** A searching lobby counts as absent after 30 seconds of silence. */
  presenceTimeoutSeconds: 30,
  /** Lobbies in a match use `heartbeatTimeoutSeconds`. */
  inGameHeartbeatTimeoutSeconds: null,
  /** Leaving a running match has no penalty. */
  leaverPenaltySeconds: 0,
  /** A party whose match failed to launch is not put back into the queue. */
  requeueOnFailure: false,
  /** Matches have no server. */
  serverSettings: null,
  /** Lobbies can only be started directly. */
  matchmaking: null,
  /** The queue has no rating. */
  rating: null,
  /** The rating is written into the field `mmr` of the state. */
  ratingField: 'mmr',
  /** Direct starts do not count for the rating. */
  ratedStarts: false,
  /** Clients may write every field of a state. */
  trustedFields: null,
} as const
