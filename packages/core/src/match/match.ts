import type { Region } from '../catalog/regions'
import type { Ending } from '../lobby/last-exit'
import type { ProposalAnswer } from '../lobby/proposal'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { Assignment } from './assignment'

/** Status of a match. `proposed`: its players are asked. `launching`: it is made, and its server starts. `running`: its lobbies play. */
export const MATCH_STATUSES = ['proposed', 'launching', 'running', 'ended'] as const
export type MatchStatus = (typeof MATCH_STATUSES)[number]

/** Player id that replaces the id of an erased player; no player has this id. */
export const ERASED = ''

export interface MatchPlayer {
  readonly playerId: string
  readonly lobbyId: string
  readonly role: string | null
  /**
   * State of the player at the time of joining, or a newer one that the game reported. It is written into the server's configuration file.
   */
  readonly state: JsonObject
  /** Instant at which the player left while the match continued; null for a player who did not leave. */
  readonly leftAt: Instant | null
  /** Answer of the player to the proposed match; absent when the player was not asked. */
  readonly answer?: ProposalAnswer
}

export interface MatchTeam {
  readonly name: string
  readonly players: readonly MatchPlayer[]
}

/** Waiting time of one lobby of the match. A direct start has none. */
export interface MatchWait {
  readonly lobbyId: string
  readonly players: number
  readonly waitedMs: number
}

/** Server of the studio, assigned by its backend. */
export interface ExternalServer {
  /** Deadline for the assignment: a match without a server ends then. */
  readonly assignBy: Instant
  readonly assignment: Assignment | null
}

/** Seats of one team of a full match. */
export interface TeamSeats {
  readonly name: string
  readonly seats: number
  /** Role → seats, in the order of the queue's configuration; null where teams have no roles. */
  readonly roles: Readonly<Record<string, number>> | null
}

/** Open seats of one team. */
export interface OpenSeats {
  readonly name: string
  readonly open: number
  /** Role → seats; null where teams have no roles. */
  readonly roles: Readonly<Record<string, number>> | null
}

/** Backfill request of a running match for some of its open seats. Its row is stored beside the tickets of the queue. */
export interface BackfillRequest {
  readonly ticketId: string
  /** Version of the row, which changes in the same commit as the match. */
  readonly version: number
  /** Requested seats: at most the open ones. */
  readonly teams: readonly OpenSeats[]
  /** Time of the first request, kept when it is replaced or renewed. */
  readonly requestedAt: Instant
  readonly expiresAt: Instant
}

/** Outcome of a proposed match. `impossible`: the queue, a player's state or the plan no longer allowed it; no player is to blame. */
export const PROPOSAL_OUTCOMES = ['accepted', 'declined', 'expired', 'impossible'] as const
export type ProposalOutcome = (typeof PROPOSAL_OUTCOMES)[number]

/** Ready check of a match, with the queue's settings at the time of the proposal. */
export interface MatchProposal {
  readonly expiresAt: Instant
  /** Seconds for which a player who declines or does not answer cannot enter the queue. */
  readonly penaltySeconds: number
  /** Instant at which lobbies without a new answer of their own get the number of accepted answers; null while no update is due. */
  readonly spreadAt: Instant | null
  /**
   * Outcome of the proposal, and the version of the match at that time: figures count the outcome with this version. null while players are
   * asked.
   */
  readonly settled: { readonly outcome: ProposalOutcome; readonly version: number } | null
}

/** How a match ended. */
export interface MatchEnding extends Ending {
  /** Exit code of the server's process, when its exit ended the match; else null. */
  readonly exitCode: number | null
  /** The signal that ended that process, for instance `SIGSEGV`; else null. */
  readonly exitSignal: string | null
}

/** Lobbies that play together; a direct start makes a match of one lobby. */
export interface Match {
  readonly id: string
  readonly version: number
  readonly status: MatchStatus
  readonly projectId: string
  readonly accountId: string
  readonly queueId: string
  readonly region: Region
  /** Game version that the players shared, when the queue uses one; else null. */
  readonly gameVersion: string | null
  /** Lobbies still in the match. */
  readonly lobbyIds: readonly string[]
  readonly teams: readonly MatchTeam[]
  /** Settings of the longest-waiting lobby, for the server's configuration file. */
  readonly settings: JsonObject
  readonly serverId: string | null
  /** Server of the studio; absent for a match on a server of the service, and for one without a server. */
  readonly external?: ExternalServer
  readonly waits: readonly MatchWait[]
  /**
   * Maximum seconds that the match may run, by its queue's settings when it was made. Absent for a match on a server of the service, and
   * when it may run without limit.
   */
  readonly ttlSeconds?: number
  /** Seats of a full match when this one was made. Absent for a direct start, and in rows of an earlier release. */
  readonly seats?: readonly TeamSeats[]
  /** Open backfill request; absent without one. */
  readonly backfill?: BackfillRequest
  /** Instant since which the match is closed to newcomers; absent while it accepts them. */
  readonly closedAt?: Instant
  /** Ready check of the match; absent when its players were not asked: the queue has no ready check, or the match was started directly. */
  readonly proposal?: MatchProposal
  /** Place in the trace in which the match was made; absent without tracing. Not shown to callers. */
  readonly trace?: string
  /** Instant at which the match was made. For a proposal that has not been accepted: the instant of the proposal. */
  readonly createdAt: Instant
  /** Instant from which its players could play: its server ran, or it needs none. Absent before. */
  readonly startedAt?: Instant
  readonly endedAt: Instant | null
  /** How the match ended; absent while it continues, and for a failed proposal. */
  readonly ending?: MatchEnding
}
