import type { Region } from '../catalog/regions'
import type { Ending } from '../lobby/last-exit'
import type { ProposalAnswer } from '../lobby/proposal'
import type { CountedMatch } from '../rating/match-teams'
import type { MatchQuality } from '../rating/predict'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { Assignment } from './assignment'
import type { MatchResult } from './result'

/**
 * Status of a match. `proposed`: its players are asked to accept it. `launching`: the match is made, and its server starts. `running`: its
 * lobbies play.
 */
export const MATCH_STATUSES = ['proposed', 'launching', 'running', 'ended'] as const
/** Status of a match, one of `MATCH_STATUSES`. */
export type MatchStatus = (typeof MATCH_STATUSES)[number]

/** Player id that replaces the id of an erased player; no player has this id. */
export const ERASED = ''

/** Player of a match. */
export interface MatchPlayer {
  /** Id of the player; empty after the player was erased. */
  readonly playerId: string
  /** Lobby of the player. */
  readonly lobbyId: string
  /** Role in the team; null when the queue has no roles. */
  readonly role: string | null
  /**
   * State of the player at the time of joining, or a newer state that the game reported. The state is written into the server's
   * configuration file.
   */
  readonly state: JsonObject
  /** Fields of the state that only the player and backends see; absent without such fields. */
  readonly hidden?: readonly string[]
  /** Instant at which the player joined the running match; absent for a player for whom the match was made. */
  readonly joinedAt?: Instant
  /** Instant at which the player left while the match continued; null for a player who did not leave. */
  readonly leftAt: Instant | null
  /** Answer of the player to the proposed match; absent when the player was not asked. */
  readonly answer?: ProposalAnswer
}

/** Team of a match with its players. */
export interface MatchTeam {
  /** Name of the team. */
  readonly name: string
  /** Players of the team, including those who have left. */
  readonly players: readonly MatchPlayer[]
}

/** Waiting time of one lobby of the match. A match that was started directly has no waiting times. */
export interface MatchWait {
  /** Lobby that waited. */
  readonly lobbyId: string
  /** Number of players in the lobby. */
  readonly players: number
  /** Milliseconds from the lobby's entry into the queue to the match. */
  readonly waitedMs: number
}

/** Server that the studio runs and its backend assigns to the match. */
export interface ExternalServer {
  /** Deadline for the assignment. A match without an assigned server ends at this instant. */
  readonly assignBy: Instant
  /** Assigned server; null before the assignment. */
  readonly assignment: Assignment | null
}

/** Seats of one team in a match of full size. */
export interface TeamSeats {
  /** Name of the team. */
  readonly name: string
  /** Number of seats. */
  readonly seats: number
  /** Number of seats for each role, in the order of the queue's configuration; null when teams have no roles. */
  readonly roles: Readonly<Record<string, number>> | null
}

/** Open seats of one team. */
export interface OpenSeats {
  /** Name of the team. */
  readonly name: string
  /** Number of open seats. */
  readonly open: number
  /** Number of open seats for each role; null when teams have no roles. */
  readonly roles: Readonly<Record<string, number>> | null
}

/**
 * Backfill request: a running match searches for players for some of its open seats. Its row is stored in the same table as the tickets of
 * the queue.
 */
export interface BackfillRequest {
  /** Id of the request's row: `tkt_` and a ULID. */
  readonly ticketId: string
  /** Version of the row, which changes in the same commit as the match. */
  readonly version: number
  /** Requested seats, at most the open seats. */
  readonly teams: readonly OpenSeats[]
  /**
   * Requested seats together with those that are kept for players now. When a kept seat is freed, the request searches for it again. Absent
   * when no requested seat is kept.
   */
  readonly wanted?: readonly OpenSeats[]
  /** Time of the first request, kept when the request is replaced or renewed. */
  readonly requestedAt: Instant
  /** Time at which the request expires. */
  readonly expiresAt: Instant
}

/** Open seat of a running match that is kept for one player for a short time. The request for new players treats it as filled. */
export interface KeptSeat {
  /** Player who may take the seat. */
  readonly playerId: string
  /** Team of the seat. */
  readonly team: string
  /** Role of the seat; null when the queue's teams have no roles. */
  readonly role: string | null
  /** Player of the match who asked for the seat; null for a backend and for the game server. A player keeps at most one seat. */
  readonly keptBy: string | null
  /** Time at which the seat is free again. */
  readonly expiresAt: Instant
}

/** Outcome of a proposed match. `impossible`: the queue, a player's state or the plan no longer allowed the match; no player is blamed. */
export const PROPOSAL_OUTCOMES = ['accepted', 'declined', 'expired', 'impossible'] as const
/** Outcome of a proposed match, one of `PROPOSAL_OUTCOMES`. */
export type ProposalOutcome = (typeof PROPOSAL_OUTCOMES)[number]

/** Ready check of a match, with the settings that the queue had at the time of the proposal. */
export interface MatchProposal {
  /** Deadline for the answers of the players. */
  readonly expiresAt: Instant
  /** Seconds for which a player who declines or does not answer cannot enter the queue. */
  readonly penaltySeconds: number
  /**
   * Instant at which the lobbies of the match get the present number of accepted answers; null while no update is planned. A lobby with a
   * new answer of its own gets the number at once.
   */
  readonly spreadAt: Instant | null
  /**
   * Outcome of the proposal, and the version that the match had then. Figures count the outcome with this version. null while players are
   * asked.
   */
  readonly settled: {
    /** Outcome of the proposal. */
    readonly outcome: ProposalOutcome
    /** Version of the match at the outcome. */
    readonly version: number
  } | null
}

/** End of a match: the reason, a sentence for a developer, and how its server's process exited. */
export interface MatchEnding extends Ending {
  /** Exit code of the server's process, when the exit of the process ended the match; else null. */
  readonly exitCode: number | null
  /** Signal that ended the server's process, for instance `SIGSEGV`; else null. */
  readonly exitSignal: string | null
}

/** Build that the server of a match ran. */
export interface MatchBuild {
  /** Id of the build. */
  readonly id: string
  /** Name of the build. */
  readonly versionTag: string
  /** Version of the build among the builds of its name. */
  readonly buildVersion: number
}

/** Whether a host started the match directly, without matchmaking. */
export const isDirectStart = ({ seats }: Match): boolean => seats === undefined

/** Lobbies that play together. A direct start makes a match of one lobby. */
export interface Match {
  /** Id of the match: `mat_` and a ULID. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Status of the match. */
  readonly status: MatchStatus
  /** Project of the match. */
  readonly projectId: string
  /** Account that owns the project. */
  readonly accountId: string
  /** Queue of the match. */
  readonly queueId: string
  /** Region of the match. */
  readonly region: Region
  /** Game version that the players share, when the queue uses game versions; else null. */
  readonly gameVersion: string | null
  /** Lobbies still in the match. */
  readonly lobbyIds: readonly string[]
  /** Teams with their players. */
  readonly teams: readonly MatchTeam[]
  /** Settings of the lobby that waited longest, for the server's configuration file. */
  readonly settings: JsonObject
  /** Id of the server that the service launched for the match; null without one, and for a server that the studio runs. */
  readonly serverId: string | null
  /**
   * Build of the server that the service launched. Absent until the server runs or the launch has failed, for a match without such a server,
   * and in rows of an earlier release.
   */
  readonly build?: MatchBuild
  /** Server that the studio assigns. Absent for a match whose server the service runs, and for a match without a server. */
  readonly external?: ExternalServer
  /** Waiting times of the match's lobbies; empty for a match that was started directly. */
  readonly waits: readonly MatchWait[]
  /**
   * Maximum seconds that the match may run, by the settings of its queue when the match was made. Absent when the service runs the server
   * of the match, and when the match may run without limit.
   */
  readonly ttlSeconds?: number
  /**
   * Present when each player can be in only one such match at a time: `concurrentMatches` of the queue was false when the match was made or
   * proposed. Until the match ends, it holds a unique key for each player who has not left.
   */
  readonly holdsPlayers?: true
  /**
   * Seats of a match of full size, by the queue's settings when this match was made. Absent for a direct start, and in rows of an earlier
   * release.
   */
  readonly seats?: readonly TeamSeats[]
  /** Open backfill request; absent without one. */
  readonly backfill?: BackfillRequest
  /** Open seats that are kept for players; absent without one. */
  readonly keptSeats?: readonly KeptSeat[]
  /** Instant since which the match accepts no new players; absent while it accepts them. */
  readonly closedAt?: Instant
  /**
   * Ready check of the match. Absent when its players were not asked, because the queue has no ready check or the match was started
   * directly.
   */
  readonly proposal?: MatchProposal
  /** Trace context in which the match was made; absent without tracing. The API does not show it. */
  readonly trace?: string
  /** How even the match is by the ratings of its players, when it was made; absent without a rating. Only backends see it. */
  readonly quality?: MatchQuality
  /** How the match was counted for a rating; absent for a match that was not. Only the service reads it. */
  readonly counted?: CountedMatch
  /** Instant at which the match was made. For a proposal that its players have not accepted: the instant of the proposal. */
  readonly createdAt: Instant
  /** Instant from which the players could play, because the server ran or the match needs no server. Absent before that instant. */
  readonly startedAt?: Instant
  /** Time at which the match ended; null before. */
  readonly endedAt: Instant | null
  /** Recorded result; absent without one. A match may have a result before its end. */
  readonly result?: MatchResult
  /** How the match ended. Absent while the match continues, and for a proposed match that was not made. */
  readonly ending?: MatchEnding
}
