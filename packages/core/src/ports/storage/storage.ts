import type { Account } from '../../account/account'
import type { Session } from '../../account/session'
import type { Ban } from '../../ban/ban'
import type { UsageSum } from '../../billing/usage-sums'
import type { Build, BuildStatus, BuildType } from '../../build/build'
import type { Region } from '../../catalog/regions'
import type { SettingsFilter } from '../../lobby/labels'
import type { ExitReason } from '../../lobby/last-exit'
import type { Lobby, LobbyStatus } from '../../lobby/lobby'
import type { QueueTicket } from '../../lobby/queue-ticket'
import type { MachineRecord } from '../../machine/record'
import type { Match, MatchStatus } from '../../match/match'
import type { Invitation } from '../../member/invitation'
import type { Member } from '../../member/member'
import type { ApiKey } from '../../project/api-key'
import type { Project } from '../../project/project'
import type { Queue } from '../../queue/queue'
import type { EndCause } from '../../server/end-causes'
import type { GameServer, ServerStatus } from '../../server/game-server'
import type { ListWindow, Page } from '../../shared/page'
import type { Place } from '../../shared/place'
import type { Instant } from '../../shared/time'
import type { ArrivalReaders } from './arrivals'
import type { AuditReaders } from './audit'
import type { ChangeLog } from './changes'
import type { Commit, CommitResult } from './commit'
import type { DeliveryReaders, MessageReaders } from './deliveries'
import type { Entities, EntityKind } from './entities'
import type { HistoryReaders } from './history'
import type { DueJobs, JobStore } from './jobs'
import type { WaitTotal } from './match-waits'
import type { ProblemReaders } from './problems'
import type { SignalListener } from './signals'
import type { RatingReaders, StandingReaders } from './standings'
import type { LoggedEvent } from './stream-log'

export type { ListWindow, Place }

export const LOBBY_SORTS = ['created_at_desc', 'created_at_asc', 'player_count_desc'] as const
export type LobbySort = (typeof LOBBY_SORTS)[number]

export interface LobbyQuery extends ListWindow {
  readonly projectId: string
  readonly queueId?: string
  readonly status?: LobbyStatus
  readonly region?: Region
  /** Selects the lobbies that contain this player. */
  readonly playerId?: string
  /** Selects the lobbies that ban this player. */
  readonly bannedId?: string
  /** Selects the lobbies whose searchable settings (`lobbyLabels`) fit the filter. */
  readonly settings?: SettingsFilter
  readonly includePrivate: boolean
  /**
   * Order of the lobbies. Lobbies with equal keys are ordered by id, in the direction of `created_at`; `player_count_desc` uses
   * `created_at_desc` first.
   */
  readonly sort: LobbySort
  /** Selects the lobbies after this position. Only with `created_at_desc`; the total counts all lobbies nevertheless. */
  readonly before?: Place
}

/** Maximum number of scopes in one call of `presence.readMany`. */
export const PRESENCE_AT_ONCE = 1_000

/** Lobby of a player that is in `in_queue`. */
export interface PlayerSearch {
  readonly playerId: string
  readonly lobbyId: string
}

export interface MatchQuery {
  readonly projectId: string
  readonly queueId?: string
  /** Selects the matches of this player, as `matches.ofPlayer` does. */
  readonly playerId?: string
  readonly status?: MatchStatus
  /** Selects the matches that ended for this reason. */
  readonly endReason?: ExitReason
  /** Selects the matches whose server ran this build (`buildOutcomeOf`). */
  readonly buildId?: string
  /** Selects the matches created at or after this instant. */
  readonly from?: Instant
  /** Selects the matches after this position. */
  readonly before?: Place
  readonly limit: number
  /** Maximum bytes, as in `ListWindow`. */
  readonly maxBytes?: number
}

/**
 * Minimum number of lobbies that a search by labels examines. When at most this many lobbies have the rarest of the labels, the search
 * examines all of them. When more lobbies have this label, the search may leave lobbies out of the page and of the total. It examines at
 * least the newest of them (with `created_at_asc` the oldest).
 */
export const LABELLED_LOOKED_AT = 2_000

/** Number of lobbies, those with the fewest open seats, that `fullestOpen` examines one by one before it searches by labels. */
export const OPEN_LOOKED_AT = 200

/** Position of an open lobby in the order of open lobbies. */
export interface OpenPlace {
  readonly seats: number
  readonly createdAt: Instant
  readonly id: string
}

export interface OpenLobbyQuery {
  readonly projectId: string
  readonly queueId: string
  /** Settings that the lobby must have. An empty filter selects all lobbies. */
  readonly settings: SettingsFilter
  /** Selects the lobbies after this position. */
  readonly after?: OpenPlace
  readonly limit: number
}

export interface SessionQuery {
  readonly accountId: string
  /** `sessionEpoch` of the account, with which its valid sessions were opened. */
  readonly sessionEpoch: number
  /** Selects the sessions after this position. */
  readonly before?: Place
  readonly limit: number
}

export interface BanQuery {
  readonly projectId: string
  /** Selects the bans after this position. */
  readonly before?: Place
  /** Number of these bans that are skipped; absent: 0. */
  readonly offset?: number
  readonly limit: number
  /** Maximum bytes, as in `ListWindow`. */
  readonly maxBytes?: number
}

/** Bans that ended at or before an instant. */
export interface EndedBanQuery {
  /** Absent: the bans of all projects. */
  readonly projectId?: string
  readonly until: Instant
  readonly limit: number
}

/** Matches that ended at or before an instant, in all projects. */
export interface EndedMatchQuery {
  readonly until: Instant
  readonly limit: number
}

export interface BuildQuery extends ListWindow {
  readonly projectId: string
  readonly name?: string
  /** Status of the builds; absent: all except `deleted`. */
  readonly status?: BuildStatus
  readonly type?: BuildType
}

export interface ServerQuery extends ListWindow {
  readonly projectId: string
  readonly status?: ServerStatus
  readonly region?: Region
  readonly matchId?: string
  readonly versionTag?: string
  /** Selects the servers of this build. */
  readonly buildId?: string
  /** Selects the servers that ended, or are stopping, for this cause. */
  readonly endReason?: EndCause
}

/** A change of a queue's tickets. A removed ticket is a tombstone: `ticket` is undefined. */
export interface TicketChange {
  readonly ticketId: string
  readonly ticket: QueueTicket | undefined
}

export interface TicketChanges {
  readonly changes: readonly TicketChange[]
  /** Opaque cursor for the next call. Changes may repeat, but none is skipped, not even one that commits late. */
  readonly cursor: string
  /** Whether more changes are ready beyond the limit. */
  readonly more: boolean
  /**
   * Whether the given cursor is of another history: the store is another one, was restored from a backup, or lost its last commits in a
   * failover. When true, this answer starts over with everything that waits, and the reader must discard earlier answers.
   */
  readonly startedOver: boolean
}

/** Number of parties and players that wait in one queue. */
export interface QueueWaiting {
  readonly queueKey: string
  readonly parties: number
  readonly players: number
}

/** Metered usage of an account in a period. */
export interface Metered {
  /** Usage sums that begin in the period, ordered by begin, project and tier, ascending. They include the seconds of ended servers. */
  readonly sums: readonly UsageSum[]
  /** Servers that have not ended and began to run before the end of the period, oldest first. */
  readonly servers: readonly GameServer[]
}

export interface StorageMetrics {
  readonly lobbiesByStatus: Readonly<Record<LobbyStatus, number>>
  readonly waitingParties: number
  readonly waitingPlayers: number
  /** Due jobs by kind, ascending; kinds without due jobs are left out. */
  readonly jobsDue: readonly DueJobs[]
}

/**
 * Storage of all entities. It has no interactive transactions, and every write of an entity names the version that it expects. The
 * conformance suite of `@matchyard/testkit` proves each of these guarantees:
 * - Of two commits that expect the same version, exactly one returns ok.
 * - A commit is applied completely or not at all. Every read that starts after the answer to a commit sees its writes.
 * - Unique keys are checked in the state after the commit, so one commit may move a key between entities.
 * - Reads return values as they were put: key order, nulls and empty objects are kept. A returned value is a copy, or frozen, so that no
 *   caller changes the value of another caller.
 *
 * Every call may throw StorageUnavailable.
 */
export interface Storage {
  readonly name: string
  /**
   * Migrates the schema. Many nodes may call this at once. Rejects when a newer release has changed the schema and this code may no longer
   * use it.
   */
  migrate(): Promise<void>
  close(): Promise<void>
  /**
   * Resolves when the database answers and accepts writes; rejects while it refuses writes (a full disk, a standby). The adapter tests this
   * with a write that changes no visible data, or in another reliable way.
   */
  ping(): Promise<void>
  /** Returns the newest instant of any commit; 0 for an empty store. The service's clock never runs behind this instant. */
  newestInstant(): Promise<Instant>

  /**
   * Applies a commit. Throws OutcomeUnknown when the adapter cannot tell whether the commit was applied. When the store still remembers the
   * id of the commit, the commit was applied before: the call returns ok and does not apply it again.
   *
   * An idempotency record belongs to one part of its owner's records, and to one part of its group's records. A commit with a new record
   * also deletes the oldest records of these two parts, as `pastBounds` says. After concurrent commits, a part may have one record too many
   * for each commit; the next commit with a record of that part removes them.
   */
  commit(commit: Commit): Promise<CommitResult>
  readonly commits: {
    /** Whether the commit with this id was applied. The store remembers an id for at least an hour. */
    find(id: string): Promise<boolean>
  }

  /** Returns an entity by its id; undefined when it does not exist. */
  get<K extends EntityKind>(kind: K, id: string): Promise<Entities[K] | undefined>
  /** Returns the entities that exist, in the order of `ids`. */
  getMany<K extends EntityKind>(kind: K, ids: readonly string[]): Promise<Entities[K][]>
  /** Returns the entity of this kind that holds a unique key at present. */
  find<K extends EntityKind>(kind: K, uniqueKey: string): Promise<Entities[K] | undefined>

  /** Returns a page of the accounts of the whole installation, by ascending id: later accounts have higher ids. */
  readonly accounts: { list(page: ListWindow): Promise<Page<Account>> }
  /**
   * Returns the sessions of an account and an epoch that did not end (`openSessionsKey`), newest first, with those that have expired and are still
   * stored. The cost grows with the size of the answer.
   */
  readonly sessions: { list(query: SessionQuery): Promise<Session[]> }
  readonly lobbies: {
    /**
     * Returns a page of lobbies. A search by settings or by a player costs at most as much as examining LABELLED_LOOKED_AT lobbies. The
     * search examines lobbies in the order of their ids, which is about the order of their creation.
     */
    browse(query: LobbyQuery): Promise<Page<Lobby>>
    /** Returns the number of lobbies of a project, private ones included. The cost does not depend on that number. */
    count(projectId: string): Promise<number>
    /**
     * Returns the lobbies of a queue that have `openSeats` and fit the filter. Those with the fewest open seats come first, then the
     * oldest, then by id.
     *
     * The cost does not depend on the number of lobbies. An adapter examines the OPEN_LOOKED_AT fullest lobbies of the queue. When none of
     * them fits, it examines LABELLED_LOOKED_AT lobbies with the rarest of the labels. It may return the first OPEN_LOOKED_AT of these that
     * fit.
     */
    fullestOpen(query: OpenLobbyQuery): Promise<Lobby[]>
    /**
     * Returns the lobbies in `in_queue` of some players, one entry for each player and lobby, in any order. Of the lobbies of one player, an
     * adapter may examine only the LABELLED_LOOKED_AT newest ones, in every status.
     */
    searching(projectId: string, playerIds: readonly string[]): Promise<PlayerSearch[]>
  }
  /** Reads projects, oldest first. `list` leaves out deleted projects. */
  readonly projects: {
    list(accountId: string, page: ListWindow): Promise<Page<Project>>
    /** Returns all projects of an account, deleted projects included; used for the account's usage. */
    listAll(accountId: string): Promise<Project[]>
  }
  /** Returns a page of a project's API keys, oldest first, revoked keys included. */
  readonly apiKeys: { list(projectId: string, page: ListWindow): Promise<Page<ApiKey>> }
  readonly members: {
    /** Returns the members of a project, by ascending id. */
    ofProject(projectId: string, limit: number): Promise<Member[]>
    /** Returns the records of an account in all projects, by ascending id. The cost grows with the size of the answer. */
    ofAccount(accountId: string, limit: number): Promise<Member[]>
  }
  /** Returns the invitations of a project, by ascending id, with those that have expired and are still stored. */
  readonly invitations: { ofProject(projectId: string, limit: number): Promise<Invitation[]> }
  readonly problems: ProblemReaders
  /** Reads queues, by ascending queue id. */
  readonly queues: {
    list(projectId: string, page: ListWindow): Promise<Page<Queue>>
    /** Returns the queues of all projects that keep warm servers (`asksForWarm`), by `id`. The cost grows with the size of the answer. */
    listWarm(): Promise<Queue[]>
  }
  /** Reads builds, newest first. */
  readonly builds: {
    list(query: BuildQuery): Promise<Page<Build>>
    /**
     * Returns the build of the name that has the highest version among those that are `ready` and not disabled (`isLaunchable`); undefined
     * without such a build.
     */
    newestReady(projectId: string, name: string): Promise<Build | undefined>
  }
  /** Reads game servers, newest first. */
  readonly servers: {
    list(query: ServerQuery): Promise<Page<GameServer>>
    /** Returns all servers that are launching, running or stopping, of all projects; with `nodeId` only the servers of this node. */
    listLive(nodeId?: string): Promise<GameServer[]>
    /** Returns the servers of a project that failed at or after an instant, newest first. The cost grows with the size of the answer. */
    listFailed(projectId: string, since: Instant, limit: number): Promise<GameServer[]>
    /**
     * Returns the number of servers of a project that failed at or after an instant, and the time of the first failure (null without a
     * failure). The call reads no server rows.
     */
    tallyFailed(projectId: string, since: Instant): Promise<{ readonly count: number; readonly first: Instant | null }>
    /** Returns the nodes that have live servers. The cost does not depend on the number of servers. */
    nodes(): Promise<string[]>
    /**
     * Returns, for each waiting line of an orchestrator (a region and a tier, with or without TLS ports), the oldest server. Of servers with the same age, the
     * one with the lowest id counts. The answer begins with the oldest server. The cost grows with the size of the answer.
     */
    firstInLine(orchestrator: string): Promise<GameServer[]>
    /** Returns the creation time of the oldest server that waits for capacity for a match of the queue; undefined without such a server. */
    waitingSince(queueKey: string): Promise<Instant | undefined>
    /**
     * Returns the servers of a build that ended and had a match, or failed; the one that ended last comes first. The cost grows with the size
     * of the answer.
     */
    lastEnded(buildId: string, limit: number): Promise<GameServer[]>
    /** Whether a live server runs the build. */
    anyLiveOfBuild(buildId: string): Promise<boolean>
    /**
     * Returns the live servers of a build whose ids come after `after` by code units, by ascending id; an empty text comes before all ids.
     * The cost grows with the size of the answer.
     */
    liveOfBuild(buildId: string, after: string, limit: number): Promise<GameServer[]>
    /** Returns the number of live servers of a project. */
    countLive(projectId: string): Promise<number>
    /**
     * Returns the metered usage of an account in [from, to). All returned data are from the state after one commit. The cost grows with the
     * size of the answer, not with the number of ended servers.
     */
    metered(accountId: string, from: Instant, to: Instant): Promise<Metered>
  }
  readonly machines: {
    /** Returns the records of machines, by ascending id. */
    list(limit: number): Promise<MachineRecord[]>
  }
  readonly bans: {
    /** Returns bans of a project, newest first, with those that have ended. The cost grows with the size of the answer. */
    list(query: BanQuery): Promise<Ban[]>
    /** Returns bans that have ended; the ban that ended first comes first. The cost grows with the size of the answer. */
    listEnded(query: EndedBanQuery): Promise<Ban[]>
  }
  readonly ratings: RatingReaders
  readonly standings: StandingReaders
  readonly matches: {
    /** Returns the matches of one queue created at or after `since`, newest first. */
    listRecent(queueKey: string, since: Instant, limit: number): Promise<Match[]>
    /**
     * Returns the matches of a project, newest first, without failed proposals (`listedStatus`). The cost grows with the size of the answer
     * and with the number of live matches, not with the number of ended ones; with `playerId`, with the number of the player's matches.
     */
    list(query: MatchQuery): Promise<Match[]>
    /**
     * Returns the matches in which a player is or was, or in which a seat is kept by or for the player (`matchLabels`), newest first;
     * `maxBytes` as in `ListWindow`.
     */
    ofPlayer(projectId: string, playerId: string, limit: number, maxBytes?: number): Promise<Match[]>
    /**
     * Returns the ids, versions and projects of matches that have ended, failed proposals included; the match that ended first comes first. The cost
     * grows with the size of the answer.
     */
    listEnded(query: EndedMatchQuery): Promise<Pick<Match, 'id' | 'version' | 'projectId'>[]>
    /**
     * Returns the figures of one queue: the cells of `waitCellsOf` for every put match, and the `figures` of commits. They are summed for
     * each (players, bucket), ascending, over the slots of time that begin at or after `since`, at most an hour back. Commits maintain the
     * sums, so the cost does not depend on the number of matches.
     */
    waits(queueKey: string, since: Instant): Promise<WaitTotal[]>
  }
  /** Reads the history: sums of amounts by slots of time, to which commits add. */
  readonly history: HistoryReaders
  readonly arrivals: ArrivalReaders
  readonly messages: MessageReaders
  readonly deliveries: DeliveryReaders
  readonly audit: AuditReaders
  readonly tickets: {
    /**
     * Returns the changes of a queue since the cursor. Without a cursor, returns everything that waits: the tickets of parties, and the
     * requests of running matches for players (`QueueTicket.request`). No other reader returns requests.
     *
     * A cursor is valid only in the history in which the storage gave it out. After a restore to an earlier state, or for a cursor of
     * another store, the answer starts over with `startedOver`. An adapter also starts over when it cannot be sure, for instance after a
     * lost connection or a reopened file; this costs one more read. `maxBytes` is as in `ListWindow`. When it cuts the answer, `more` is
     * true.
     */
    changedSince(queueKey: string, cursor: string | undefined, limit: number, maxBytes?: number): Promise<TicketChanges>
    /**
     * Returns the queues in which at least one party waits, with the numbers of parties and players. Requests of running matches for
     * players are not counted. `queueKey` selects one queue. Commits maintain the numbers, so the cost grows with the size of the answer
     * and not with the number of waiting parties.
     */
    waiting(queueKey?: string): Promise<QueueWaiting[]>
    /**
     * Returns a sample of the parties that wait in a queue: all parties when there are at most `limit`, else `limit` parties. The choice
     * does not depend on their age and content. `maxBytes` bounds the bytes of JSON of all tickets together, so the sample may be smaller;
     * the first ticket is always returned. The cost grows with the size of the answer.
     */
    sample(queueKey: string, limit: number, maxBytes: number): Promise<QueueTicket[]>
  }

  readonly changes: ChangeLog

  readonly events: {
    /**
     * Returns the stream events of a lobby after a version, oldest first: at most `limit` events, and as many as fit into `maxBytes`. The
     * first event is always returned. The events stay readable for an hour after the lobby's deletion.
     */
    read(lobbyId: string, afterVersion: number, limit: number, maxBytes: number): Promise<LoggedEvent[]>
    /** Returns the oldest and newest version in the log; undefined without events. */
    range(lobbyId: string): Promise<{ oldest: number; newest: number } | undefined>
    /**
     * Returns the newest version in the log of each of these lobbies, in any order; lobbies without a log are left out. The cost does not
     * depend on the length of the logs. One call takes at most MAX_HEADS lobbies.
     */
    heads(lobbyIds: readonly string[]): Promise<{ lobbyId: string; version: number }[]>
    /**
     * Removes from each log the events beyond any of the three limits of STREAM_RETENTION, counted from the log's newest event, which
     * always stays. A log whose `lobby_deleted` event is older than an hour is removed completely. The cost grows with the number of
     * removed events. Between two calls, commits keep each log within nine eighths of the limits of events and bytes.
     */
    prune(now: Instant): Promise<void>
  }

  readonly jobs: JobStore

  readonly leases: {
    /** Takes or renews a lease. Returns false while the lease of another holder is valid. */
    acquire(name: string, holder: string, now: Instant, ttlMs: number): Promise<boolean>
    /** Ends the lease if this holder has it, so that another holder can take it at once. */
    release(name: string, holder: string): Promise<void>
  }

  /**
   * Instants at which the members of a scope were last seen, stored outside the versioned rows. A scope is the id of a lobby, whose members
   * are its players, or of a server, whose member is its process. Nodes, queues with warm servers, and players who make calls have scopes too.
   */
  readonly presence: {
    /** Records that members were seen. A later instant of a member replaces an earlier instant. */
    touch(entries: readonly { scope: string; member: string; at: Instant }[]): Promise<void>
    /** Returns the instant at which each member of a scope was last seen. */
    read(scope: string): Promise<{ member: string; at: Instant }[]>
    /** Returns the instants of the members of several scopes, in any order. One call takes at most PRESENCE_AT_ONCE scopes. */
    readMany(scopes: readonly string[]): Promise<{ scope: string; member: string; at: Instant }[]>
    /** Removes the instants of all members of a scope. A commit that removes a lobby or server removes them too. */
    forget(scope: string): Promise<void>
    /** Removes the instants of some members of a scope. The instant of a member that was seen later than its given `at` stays. */
    forgetMembers(scope: string, members: readonly { member: string; at: Instant }[]): Promise<void>
  }

  readonly counters: {
    read(id: string): Promise<number>
    /** Returns the sum of the counters in ranges of ids, which do not overlap: from `from` on, before `below`, by code units. */
    sum(ranges: readonly { readonly from: string; readonly below: string }[]): Promise<number>
  }

  /**
   * Calls the listener when something changed, also on other nodes. A signal is a hint without data, and signals may be lost. Returns a
   * function that ends the subscription.
   */
  subscribe(listener: SignalListener): () => void

  /** Returns figures for metrics. Due jobs are those that `claim` could take at `now`. */
  metrics(now: Instant): Promise<StorageMetrics>

  /**
   * Removes expired data:
   * - tombstones, changes, commit ids and figures of matches that are older than an hour;
   * - rows of the history that are older than HISTORY_KEPT_MS of their step;
   * - expired idempotency records and cooldowns;
   * - arrivals older than ARRIVALS_KEPT_MS, and all but the newest ARRIVALS_KEPT arrivals of a queue;
   * - entries of the audit log older than AUDIT_KEPT_MS, and all but the newest AUDIT_KEPT entries of a scope;
   * - deliveries older than DELIVERIES_KEPT_MS, and messages of that age without a delivery;
   * - presence older than an hour whose scope is neither a lobby nor a live server. Such presence was written after the end of its lobby,
   *   or belongs to a lost node.
   */
  prune(now: Instant): Promise<void>
}
