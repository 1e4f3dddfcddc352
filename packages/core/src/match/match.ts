import type { Region } from '../catalog/regions'
import type { Ending } from '../lobby/last-exit'
import type { ProposalAnswer } from '../lobby/proposal'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { Assignment } from './assignment'

/** `proposed`: its players are asked. `launching`: on the way to the game. `running`: its lobbies play. */
export const MATCH_STATUSES = ['proposed', 'launching', 'running', 'ended'] as const
export type MatchStatus = (typeof MATCH_STATUSES)[number]

/** Stands for a player who was erased: no player has this id. */
export const ERASED = ''

export interface MatchPlayer {
  readonly playerId: string
  readonly lobbyId: string
  readonly role: string | null
  /** As it was when the player came, or as the game told it later; written into the server's configuration file. */
  readonly state: JsonObject
  /** When the player left the lobby while the match went on. */
  readonly leftAt: Instant | null
  /** Set where players were asked. */
  readonly answer?: ProposalAnswer
}

export interface MatchTeam {
  readonly name: string
  readonly players: readonly MatchPlayer[]
}

/** How long one of the match's lobbies had waited; none for a direct start. */
export interface MatchWait {
  readonly lobbyId: string
  readonly players: number
  readonly waitedMs: number
}

/** A server that the studio's backend brings. */
export interface ExternalServer {
  /** A match that has none by then ends. */
  readonly assignBy: Instant
  readonly assignment: Assignment | null
}

/** The seats of one team of a full match. */
export interface TeamSeats {
  readonly name: string
  readonly seats: number
  /** Role → seats, in the order of the queue's configuration; null where teams have no roles. */
  readonly roles: Readonly<Record<string, number>> | null
}

/** Seats of one team in which nobody sits. */
export interface OpenSeats {
  readonly name: string
  readonly open: number
  /** Role → seats; null where teams have no roles. */
  readonly roles: Readonly<Record<string, number>> | null
}

/** Backfill request of a running match for some of its open seats. The row stands beside the tickets of the queue. */
export interface BackfillRequest {
  readonly ticketId: string
  /** Version of the row, which changes in the same commit as the match. */
  readonly version: number
  /** Seats asked for: no more than are open. */
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
  /** For when the numbers were last due to be told to lobbies that did not answer themselves; null where nobody has accepted. */
  readonly spreadAt: Instant | null
  /** How it came out, and the version of the match that it came out with: figures count it with that one. */
  readonly settled: { readonly outcome: ProposalOutcome; readonly version: number } | null
}

/** How a match ended. */
export interface MatchEnding extends Ending {
  /** Exit code of the server's process, when its exit ended the match; else null. */
  readonly exitCode: number | null
  /** The signal that ended that process, for instance `SIGSEGV`; else null. */
  readonly exitSignal: string | null
}

/** Lobbies that play together; a direct start is a match of one. */
export interface Match {
  readonly id: string
  readonly version: number
  readonly status: MatchStatus
  readonly projectId: string
  readonly accountId: string
  readonly queueId: string
  readonly region: Region
  /** The version that the players shared, where the queue asks for one. */
  readonly gameVersion: string | null
  /** Lobbies still in the match. */
  readonly lobbyIds: readonly string[]
  readonly teams: readonly MatchTeam[]
  /** The longest-waiting lobby's settings, for the server's configuration file. */
  readonly settings: JsonObject
  readonly serverId: string | null
  /** Set where it is played on a server of the studio's own. */
  readonly external?: ExternalServer
  readonly waits: readonly MatchWait[]
  /** Seconds that it may run, as its queue said when it was made; absent for a match on a server of the service, and where it may for ever. */
  readonly ttlSeconds?: number
  /** Seats of a full match at the time when this one was made. Absent for a direct start, and in rows of an earlier release. */
  readonly seats?: readonly TeamSeats[]
  /** Open seats that are asked for; absent while none are. */
  readonly backfill?: BackfillRequest
  /** Since when nobody is to come any more; absent while somebody may. */
  readonly closedAt?: Instant
  /** Set where its players were asked. */
  readonly proposal?: MatchProposal
  /** The place in a trace at which it was made; absent where nobody traced it. Not told to callers. */
  readonly trace?: string
  /** When it was made; while it is only proposed, and where it never was more, when that was. */
  readonly createdAt: Instant
  /** When its players could play: its server ran, or it needs none. Absent before. */
  readonly startedAt?: Instant
  readonly endedAt: Instant | null
  /** Absent while it goes on, and for a proposal that came to nothing. */
  readonly ending?: MatchEnding
}
