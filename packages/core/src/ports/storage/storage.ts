import type { Account } from '../../account/account'
import type { UsageSum } from '../../billing/usage-sums'
import type { Build, BuildStatus, BuildType } from '../../build/build'
import type { Region } from '../../catalog/regions'
import type { SettingsFilter } from '../../lobby/labels'
import type { ExitReason } from '../../lobby/last-exit'
import type { Lobby, LobbyStatus } from '../../lobby/lobby'
import type { QueueTicket } from '../../lobby/queue-ticket'
import type { Match, MatchStatus } from '../../match/match'
import type { ApiKey } from '../../project/api-key'
import type { Project } from '../../project/project'
import type { Queue } from '../../queue/queue'
import type { GameServer, ServerStatus } from '../../server/game-server'
import type { ListWindow, Page } from '../../shared/page'
import type { Place } from '../../shared/place'
import type { Instant } from '../../shared/time'
import type { ArrivalReaders } from './arrivals'
import type { ChangeLog } from './changes'
import type { Commit, CommitResult } from './commit'
import type { DeliveryReaders, MessageReaders } from './deliveries'
import type { Entities, EntityKind } from './entities'
import type { DueJobs, JobStore } from './jobs'
import type { WaitTotal } from './match-waits'
import type { SignalListener } from './signals'
import type { LoggedEvent } from './stream-log'

export type { ListWindow, Place }

export const LOBBY_SORTS = ['created_at_desc', 'created_at_asc', 'player_count_desc'] as const
export type LobbySort = (typeof LOBBY_SORTS)[number]

export interface LobbyQuery extends ListWindow {
  readonly projectId: string
  readonly queueId?: string
  readonly status?: LobbyStatus
  readonly region?: Region
  /** Only those in which the player is. */
  readonly playerId?: string
  /** Only those that keep the player out. */
  readonly bannedId?: string
  /** Only those whose settings fit, as `lobbyLabels` says what of them can be searched by. */
  readonly settings?: SettingsFilter
  readonly includePrivate: boolean
  /** Equal keys are ordered by id, in the same direction as `created_at`. `player_count_desc` breaks ties by created_at_desc. */
  readonly sort: LobbySort
  /** Only those after this place; goes with `created_at_desc`, and leaves the total as it is. */
  readonly before?: Place
}

export interface MatchQuery {
  readonly projectId: string
  readonly queueId?: string
  readonly status?: MatchStatus
  /** Only those that ended for this reason. */
  readonly endReason?: ExitReason
  /** Only those after this place. */
  readonly before?: Place
  readonly limit: number
  /** As of a `ListWindow`. */
  readonly maxBytes?: number
}

/**
 * Lobbies that a search by labels looks at, at the least: all that have the rarest of the labels where those are no more. Of more it
 * may leave some out, in what it tells and in the total; then it looks at the newest (with `created_at_asc` the oldest) at the least.
 */
export const LABELLED_LOOKED_AT = 2_000

/** The fullest open lobbies of a queue that are looked at one by one before those are looked for that fit. */
export const OPEN_LOOKED_AT = 200

/** Where an open lobby stands among the others. */
export interface OpenPlace {
  readonly seats: number
  readonly createdAt: Instant
  readonly id: string
}

export interface OpenLobbyQuery {
  readonly projectId: string
  readonly queueId: string
  /** Empty: any. */
  readonly settings: SettingsFilter
  /** Only those that come after this place. */
  readonly after?: OpenPlace
  readonly limit: number
}

export interface BuildQuery extends ListWindow {
  readonly projectId: string
  readonly name?: string
  /** Absent: all but `deleted`. */
  readonly status?: BuildStatus
  readonly type?: BuildType
}

export interface ServerQuery extends ListWindow {
  readonly projectId: string
  readonly status?: ServerStatus
  readonly region?: Region
  readonly matchId?: string
  readonly versionTag?: string
}

/** One change of a queue's tickets. A removed ticket is a tombstone: `ticket` is undefined. */
export interface TicketChange {
  readonly ticketId: string
  readonly ticket: QueueTicket | undefined
}

export interface TicketChanges {
  readonly changes: readonly TicketChange[]
  /** Opaque; pass it to the next call. Changes may repeat, but none is ever skipped, also none that commits late. */
  readonly cursor: string
  /** Whether more changes are ready beyond the limit. */
  readonly more: boolean
  /**
   * Whether the given cursor is of another history: the store is another one, was restored from a backup, or lost its last
   * commits in a failover. Then everything that waits is told from the beginning, and what earlier calls told is to be forgotten.
   */
  readonly startedOver: boolean
}

/** How many wait in one queue. */
export interface QueueWaiting {
  readonly queueKey: string
  readonly parties: number
  readonly players: number
}

/** What an account is metered for in a stretch of time. */
export interface Metered {
  /** The sums that begin in it, as commits have added to them: by where they begin, project and tier, ascending. */
  readonly sums: readonly UsageSum[]
  /** Oldest first: those that have not ended and began to run before its end. The seconds of one that ends are in the sums. */
  readonly servers: readonly GameServer[]
}

export interface StorageMetrics {
  readonly lobbiesByStatus: Readonly<Record<LobbyStatus, number>>
  readonly waitingParties: number
  readonly waitingPlayers: number
  /** By kind, ascending; kinds of which none is due are left out. */
  readonly jobsDue: readonly DueJobs[]
}

/**
 * Where everything is kept. There are no interactive transactions and no unconditional writes of entities.
 * Guarantees, each proved by the conformance suite of `@matchyard/testkit`:
 * - of two commits that expect one version exactly one returns ok;
 * - a commit is applied whole or not at all, and what it wrote is seen by every read that starts after its answer;
 * - unique keys are judged on the state after the commit, so one commit may move a key between entities;
 * - values are returned as they were put: key order, nulls and empty objects are kept, and what a caller does to
 *   a value changes it for nobody else: it is a copy, or frozen.
 * Every call may throw StorageUnavailable.
 */
export interface Storage {
  readonly name: string
  /** Brings the schema up to date; safe to call at once from many nodes; refuses a newer schema that does not bear this code. */
  migrate(): Promise<void>
  close(): Promise<void>
  /**
   * Resolves when the database answers and takes writes; rejects while it refuses them (a full disk, a standby): asked by a write that
   * changes nothing anybody reads, or by what says for sure that one would be taken.
   */
  ping(): Promise<void>
  /** The newest instant any commit carried, 0 for an empty store; the clock never runs behind it. */
  newestInstant(): Promise<Instant>

  /**
   * Applies a commit; throws OutcomeUnknown when it cannot tell whether it did. A commit whose id is still remembered was
   * applied before: it is answered ok and not applied again.
   *
   * With a new idempotency record go the oldest of the parts that it is of, in the same commit, as `pastBounds` says: of its owner, and
   * of its group. Commits that run side by side may each leave a record too many; the next one of that part takes both.
   */
  commit(commit: Commit): Promise<CommitResult>
  readonly commits: {
    /** Whether the commit of this id was applied; remembered for at least an hour. */
    find(id: string): Promise<boolean>
  }

  get<K extends EntityKind>(kind: K, id: string): Promise<Entities[K] | undefined>
  /** Those that exist, in the order of `ids`. */
  getMany<K extends EntityKind>(kind: K, ids: readonly string[]): Promise<Entities[K][]>
  /** The entity of this kind that holds a unique key now. */
  find<K extends EntityKind>(kind: K, uniqueKey: string): Promise<Entities[K] | undefined>

  /** Of the whole installation, by id, ascending: those that are made later have higher ones. */
  readonly accounts: { list(page: ListWindow): Promise<Page<Account>> }
  readonly lobbies: {
    /** By settings or a player it costs no more than LABELLED_LOOKED_AT lobbies do, whose ids are taken for the order of their making. */
    browse(query: LobbyQuery): Promise<Page<Lobby>>
    /**
     * The lobbies of a queue that have `openSeats` and fit the filter, the fewest seats first, then the oldest, then by id. What it
     * costs does not depend on how many lobbies there are: an adapter looks at the OPEN_LOOKED_AT fullest of the queue, and, where
     * none of them fits, at the LABELLED_LOOKED_AT with the rarest of the labels, of which it may take the first OPEN_LOOKED_AT that fit.
     */
    fullestOpen(query: OpenLobbyQuery): Promise<Lobby[]>
  }
  /** Oldest first; deleted projects are left out. */
  readonly projects: {
    list(accountId: string, page: ListWindow): Promise<Page<Project>>
    /** Also the deleted ones, for usage. */
    listAll(accountId: string): Promise<Project[]>
  }
  /** Oldest first, the revoked ones too. */
  readonly apiKeys: { list(projectId: string, page: ListWindow): Promise<Page<ApiKey>> }
  /** By queue id, ascending. */
  readonly queues: {
    list(projectId: string, page: ListWindow): Promise<Page<Queue>>
    /** Those of every project that ask for servers before their matches (`asksForWarm`), by id. What is told decides the cost. */
    listWarm(): Promise<Queue[]>
  }
  /** Newest first. */
  readonly builds: {
    list(query: BuildQuery): Promise<Page<Build>>
    /** The `ready` build of the name with the highest version that is not disabled (`isLaunchable`). */
    newestReady(projectId: string, name: string): Promise<Build | undefined>
  }
  /** Newest first. */
  readonly servers: {
    list(query: ServerQuery): Promise<Page<GameServer>>
    /** All that are launching, running or stopping, of every project; `nodeId` narrows to one node's. */
    listLive(nodeId?: string): Promise<GameServer[]>
    /** Those of a project that failed at or after an instant, the last first. What is told decides the cost, however many there are. */
    listFailed(projectId: string, since: Instant, limit: number): Promise<GameServer[]>
    /** How many of a project failed at or after an instant, and when the first of them did; null where none did. No server is read for it. */
    tallyFailed(projectId: string, since: Instant): Promise<{ readonly count: number; readonly first: Instant | null }>
    /** The nodes that have live servers, at a cost that does not depend on how many. */
    nodes(): Promise<string[]>
    /**
     * Of those that wait for room in the lines of an orchestrator, for each region and tier the one that was made first, of equal
     * ones by id: oldest first. What is told decides the cost, however many wait.
     */
    firstInLine(orchestrator: string): Promise<GameServer[]>
    /** When the oldest server was made that waits for room for a match of the queue; undefined where none does. */
    waitingSince(queueKey: string): Promise<Instant | undefined>
    /** Whether a live server runs the build. */
    anyLiveOfBuild(buildId: string): Promise<boolean>
    /** How many of the project are live. */
    countLive(projectId: string): Promise<number>
    /**
     * What is metered of an account in [from, to), all of it as one commit left it. What is told decides the cost, however many
     * servers have ended.
     */
    metered(accountId: string, from: Instant, to: Instant): Promise<Metered>
  }
  readonly matches: {
    /** Of one queue, created at or after `since`, newest first. */
    listRecent(queueKey: string, since: Instant, limit: number): Promise<Match[]>
    /**
     * Of a project, newest first; proposals that came to nothing are left out (`listedStatus`). What it costs grows with what is told, and
     * with how many live ones there are, never with how many have ended.
     */
    list(query: MatchQuery): Promise<Match[]>
    /** In which a player is or was, newest first; `maxBytes` as of a `ListWindow`. */
    ofPlayer(projectId: string, playerId: string, limit: number, maxBytes?: number): Promise<Match[]>
    /**
     * The figures of one queue: what `waitCellsOf` says of every put of a match, and what commits say (`figures`), added up per players and bucket
     * (ascending) over the slots that begin at or after `since`, at most an hour back. Kept with the commits, so that reading
     * them costs what is told, however many matches there were.
     */
    waits(queueKey: string, since: Instant): Promise<WaitTotal[]>
  }
  readonly arrivals: ArrivalReaders
  readonly messages: MessageReaders
  readonly deliveries: DeliveryReaders
  readonly tickets: {
    /**
     * What changed in a queue since the cursor; without one, everything that waits: tickets of parties, and requests of running matches
     * (`QueueTicket.request`), which are told here and nowhere else. A cursor holds in the history in which it was
     * given out; after a store has gone back, or for a cursor of another store, the answer starts over and says so. An adapter that
     * cannot be sure (its connection was cut, the file was opened anew) starts over: that only costs a reading. `maxBytes` as of a `ListWindow`:
     * `more` is then told as where there are more than the limit.
     */
    changedSince(queueKey: string, cursor: string | undefined, limit: number, maxBytes?: number): Promise<TicketChanges>
    /**
     * The queues in which any party waits (a request is none), with how many parties and players; `queueKey` narrows to one. Kept with the commits, so
     * that it costs what is told, however many wait.
     */
    waiting(queueKey?: string): Promise<QueueWaiting[]>
    /**
     * Some of the parties that wait in a queue: all of them where they are no more than `limit`, else `limit` whose choice has nothing
     * to do with when they came or what they are. Of large tickets fewer are told: the first, and then as many as stay within
     * `maxBytes` of JSON together. What is told decides the cost, however many wait.
     */
    sample(queueKey: string, limit: number, maxBytes: number): Promise<QueueTicket[]>
  }

  readonly changes: ChangeLog

  readonly events: {
    /**
     * The stream events of a lobby after a version, oldest first: no more than `limit`, and no more than fit into `maxBytes`,
     * but the first one always. Still readable for an hour after the lobby's deletion.
     */
    read(lobbyId: string, afterVersion: number, limit: number, maxBytes: number): Promise<LoggedEvent[]>
    /** The oldest and newest version kept, undefined when there is none. */
    range(lobbyId: string): Promise<{ oldest: number; newest: number } | undefined>
    /**
     * The newest version in the log of each of these lobbies, in any order; those without a log are left out. One question for
     * all of them, at a cost that does not depend on how long the logs are. At most MAX_HEADS at once.
     */
    heads(lobbyIds: readonly string[]): Promise<{ lobbyId: string; version: number }[]>
    /**
     * Leaves in each log what is within all three figures of STREAM_RETENTION, counted from its newest event, and that one
     * always: what goes is the older part. Logs whose `lobby_deleted` is older than an hour go whole. Its cost grows with what
     * it forgets. Between two calls a commit itself sees to it that no log is more than an eighth past its events and bytes.
     */
    prune(now: Instant): Promise<void>
  }

  readonly jobs: JobStore

  readonly leases: {
    /** Takes or renews; false while another holder's lease has not run out. */
    acquire(name: string, holder: string, now: Instant, ttlMs: number): Promise<boolean>
    release(name: string, holder: string): Promise<void>
  }

  /** When members of a thing (players of a lobby, the process of a server: its id is the scope) were last seen; outside the versioned row. */
  readonly presence: {
    /** Later instants win. */
    touch(entries: readonly { scope: string; member: string; at: Instant }[]): Promise<void>
    read(scope: string): Promise<{ member: string; at: Instant }[]>
    /** A commit that removes a lobby or server forgets its presence too. */
    forget(scope: string): Promise<void>
    /** Some members of a scope; one that was seen later than its `at` stays. */
    forgetMembers(scope: string, members: readonly { member: string; at: Instant }[]): Promise<void>
  }

  readonly counters: { read(id: string): Promise<number> }

  /** Tells of changes, also those made on other nodes: a hint that something changed, never data, and it may be lost. */
  subscribe(listener: SignalListener): () => void

  /** Jobs that are due are those that `claim` could take at `now`. */
  metrics(now: Instant): Promise<StorageMetrics>

  /**
   * Forgets what nobody may ask for any more: tombstones, changes, commit ids and figures of matches over an hour old, expired
   * idempotency records, cooldowns that are over, arrivals older than ARRIVALS_KEPT_MS and those of a queue past its newest ARRIVALS_KEPT, deliveries older than DELIVERIES_KEPT_MS and messages as old that no delivery is
   * left of, and presence over an hour old whose scope is neither a lobby nor a live server: it was
   * written after its lobby's end, or is that of a node which is gone.
   */
  prune(now: Instant): Promise<void>
}
