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

/** A change of a queue's tickets. A removed ticket is a tombstone: `ticket` is undefined. */
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

/** Metered usage of an account in a period. */
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
   * Resolves when the database answers and takes writes; rejects while it refuses them (a full disk, a standby): checked by a write that
   * changes no visible data, or by another certain test that writes are accepted.
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
  /** Returns the entities that exist, in the order of `ids`. */
  getMany<K extends EntityKind>(kind: K, ids: readonly string[]): Promise<Entities[K][]>
  /** The entity of this kind that holds a unique key now. */
  find<K extends EntityKind>(kind: K, uniqueKey: string): Promise<Entities[K] | undefined>

  /** Accounts of the whole installation, by ascending id: later accounts have higher ids. */
  readonly accounts: { list(page: ListWindow): Promise<Page<Account>> }
  readonly lobbies: {
    /** By settings or a player it costs no more than LABELLED_LOOKED_AT lobbies do, whose ids are taken for the order of their making. */
    browse(query: LobbyQuery): Promise<Page<Lobby>>
    /**
     * The lobbies of a queue that have `openSeats` and fit the filter, the fewest seats first, then the oldest, then by id. The cost does not
     * depend on the number of lobbies: an adapter looks at the OPEN_LOOKED_AT fullest of the queue, and, where none of them fits, at the
     * LABELLED_LOOKED_AT with the rarest of the labels, of which it may take the first OPEN_LOOKED_AT that fit.
     */
    fullestOpen(query: OpenLobbyQuery): Promise<Lobby[]>
  }
  /** Oldest first; deleted projects are left out. */
  readonly projects: {
    list(accountId: string, page: ListWindow): Promise<Page<Project>>
    /** Returns all projects of an account, deleted ones included, for usage. */
    listAll(accountId: string): Promise<Project[]>
  }
  /** Oldest first, the revoked ones too. */
  readonly apiKeys: { list(projectId: string, page: ListWindow): Promise<Page<ApiKey>> }
  /** By queue id, ascending. */
  readonly queues: {
    list(projectId: string, page: ListWindow): Promise<Page<Queue>>
    /** Returns the queues of every project that keep warm servers (`asksForWarm`), by id. The cost grows with the size of the answer. */
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
    /** Returns the servers of a project that failed at or after an instant, newest first. The cost grows with the size of the answer. */
    listFailed(projectId: string, since: Instant, limit: number): Promise<GameServer[]>
    /** How many of a project failed at or after an instant, and when the first of them did; null where none did. No server is read for it. */
    tallyFailed(projectId: string, since: Instant): Promise<{ readonly count: number; readonly first: Instant | null }>
    /** The nodes that have live servers, at a cost that does not depend on how many. */
    nodes(): Promise<string[]>
    /**
     * Returns, for each region and tier of an orchestrator, the oldest server that waits for capacity (ties by id), oldest first. The cost
     * grows with the size of the answer.
     */
    firstInLine(orchestrator: string): Promise<GameServer[]>
    /** When the oldest server was made that waits for room for a match of the queue; undefined where none does. */
    waitingSince(queueKey: string): Promise<Instant | undefined>
    /** Whether a live server runs the build. */
    anyLiveOfBuild(buildId: string): Promise<boolean>
    /** How many of the project are live. */
    countLive(projectId: string): Promise<number>
    /**
     * Returns the metered usage of an account in [from, to), consistent as of one commit. The cost grows with the size of the answer, not with
     * the number of ended servers.
     */
    metered(accountId: string, from: Instant, to: Instant): Promise<Metered>
  }
  readonly matches: {
    /** Returns the matches of one queue created at or after `since`, newest first. */
    listRecent(queueKey: string, since: Instant, limit: number): Promise<Match[]>
    /**
     * Returns the matches of a project, newest first, without failed proposals (`listedStatus`). The cost grows with the size of the answer and
     * with the number of live matches, not with the number of ended ones.
     */
    list(query: MatchQuery): Promise<Match[]>
    /** In which a player is or was, newest first; `maxBytes` as of a `ListWindow`. */
    ofPlayer(projectId: string, playerId: string, limit: number, maxBytes?: number): Promise<Match[]>
    /**
     * Returns the figures of one queue: the cells of `waitCellsOf` for every put match and the `figures` of commits, summed per players and
     * bucket (ascending) over the slots that begin at or after `since`, at most an hour back. Commits maintain the sums, so the cost does not
     * depend on the number of matches.
     */
    waits(queueKey: string, since: Instant): Promise<WaitTotal[]>
  }
  readonly arrivals: ArrivalReaders
  readonly messages: MessageReaders
  readonly deliveries: DeliveryReaders
  readonly tickets: {
    /**
     * Returns the changes of a queue since the cursor; without a cursor, everything that waits: tickets of parties, and requests of running
     * matches (`QueueTicket.request`), which appear only here. A cursor holds in the history in which it was given out; after a store has gone
     * back, or for a cursor of another store, the answer starts over and says so. An adapter that cannot be sure (its connection was cut, the
     * file was opened anew) starts over, which costs one more read. `maxBytes` is as in `ListWindow`; `more` is then true as when the limit is
     * reached.
     */
    changedSince(queueKey: string, cursor: string | undefined, limit: number, maxBytes?: number): Promise<TicketChanges>
    /**
     * The queues in which any party waits (a request is none), with how many parties and players; `queueKey` narrows to one. Kept with the commits, so
     * that it costs what is told, however many wait.
     */
    waiting(queueKey?: string): Promise<QueueWaiting[]>
    /**
     * Some of the parties that wait in a queue: all of them where they are no more than `limit`, else `limit` of them, chosen independently of
     * their age and content. Large tickets reduce the number: the first, then as many as stay within `maxBytes` of JSON together. The cost
     * grows with the size of the answer.
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
     * Removes from each log the older events beyond any of the three limits of STREAM_RETENTION, counted from its newest event, which always
     * stays. Logs whose `lobby_deleted` is older than an hour go whole. The cost grows with the number of removed events. Between two calls,
     * commits keep each log within nine eighths of its events and bytes.
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
