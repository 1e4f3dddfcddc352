import { accept, type Decision, reject } from '../errors/decision'
import type { Instant } from '../shared/time'
import { traceOf } from '../shared/trace'
import { carriedOf } from './carried'
import { leaveQueue, notMember } from './decide'
import type { LobbyEvent, QueueLeftReason } from './events'
import { canMove } from './evolve'
import { requeuesOf } from './kept-stay'
import type { Lobby, LobbyTicket } from './lobby'
import { memberOf } from './members'
import type { LobbyProposal } from './proposal'
import { isHeldBy, proposalOf } from './stay'

/**
 * Puts a lobby on hold for a proposed match: its ticket leaves the queue. Rejects with INVALID_LOBBY_STATE when the lobby no longer waits
 * with the ticket for which the match was found.
 */
export function holdLobby(
  lobby: Lobby,
  ticket: LobbyTicket,
  match: {
    readonly id: string
    readonly expiresAt: Instant
    readonly needed: number
    readonly ticketExpiresAt: Instant
  },
): Decision<LobbyEvent> {
  if (!canMove(lobby, 'propose') || lobby.ticket?.id !== ticket.id) {
    return reject(
      'INVALID_LOBBY_STATE',
      `${lobby.id} is ${lobby.status}; a match can be proposed only to a lobby in the queue`,
    )
  }
  const proposal: LobbyProposal = {
    matchId: match.id,
    expiresAt: match.expiresAt,
    needed: match.needed,
    accepted: 0,
    players: lobby.players.map(({ playerId }) => ({ playerId, answer: 'none' })),
    ticketId: ticket.id,
    enteredAt: ticket.enteredAt,
    ticketExpiresAt: match.ticketExpiresAt,
    ...requeuesOf(ticket),
    ...traceOf(ticket),
    ...carriedOf(ticket),
  }
  return accept({ type: 'proposal_opened', proposal })
}

export interface AnswerCommand {
  readonly playerId: string
  /** Match that the player answers. Absent: the match that is proposed to the lobby at present. */
  readonly matchId?: string | undefined
  readonly at: Instant
}

/**
 * Rejects an answer when no match is proposed to the lobby. A player who is not a member gets PLAYER_NOT_IN_LOBBY, a member NO_PROPOSAL.
 */
export const unasked = (lobby: Lobby, playerId: string) =>
  memberOf(lobby, playerId) === undefined
    ? notMember(lobby, playerId)
    : reject('NO_PROPOSAL', `no match is proposed to ${lobby.id}; it is ${lobby.status}`)

/** Returns the proposal to which the answer of a player applies. Rejects with PLAYER_NOT_IN_LOBBY, NO_PROPOSAL, PROPOSAL_CHANGED. */
function meant(lobby: Lobby, { playerId, matchId }: AnswerCommand): LobbyProposal | ReturnType<typeof reject> {
  const proposal = proposalOf(lobby)
  if (proposal === undefined || memberOf(lobby, playerId) === undefined) return unasked(lobby, playerId)
  if (matchId === undefined || matchId === proposal.matchId) return proposal
  return reject('PROPOSAL_CHANGED', `${proposal.matchId} is proposed to ${lobby.id} now, not ${matchId}`)
}

const isOver = ({ expiresAt }: LobbyProposal, at: Instant) => expiresAt <= at
const tooLate = ({ matchId }: LobbyProposal) =>
  reject('NO_PROPOSAL', `the time to accept or decline ${matchId} is over`)

/**
 * Records that a player accepts the proposed match; a repeated answer changes nothing. `accepted` is the number of players of the match
 * that have accepted, this player included. Rejects with PLAYER_NOT_IN_LOBBY, NO_PROPOSAL, PROPOSAL_CHANGED.
 */
export function acceptProposal(
  lobby: Lobby,
  command: AnswerCommand & { readonly accepted: number },
): Decision<LobbyEvent> {
  const { playerId, accepted, at } = command
  const proposal = meant(lobby, command)
  if ('rejected' in proposal) return proposal
  if (proposal.players.some((player) => player.playerId === playerId && player.answer === 'accepted')) return accept()
  if (isOver(proposal, at)) return tooLate(proposal)
  return accept({ type: 'proposal_answered', playerId, accepted })
}

/**
 * Takes the party out of the queue when a player declines; a player who has accepted may still decline. Rejects as `acceptProposal` does.
 */
export function decideDeclineProposal(lobby: Lobby, command: AnswerCommand): Decision<LobbyEvent> {
  const proposal = meant(lobby, command)
  if ('rejected' in proposal) return proposal
  return isOver(proposal, command.at) ? tooLate(proposal) : leaveQueue(lobby, 'declined', command.playerId)
}

/** Updates the number of accepted answers that the lobby shows. */
export function countAnswers(lobby: Lobby, matchId: string, accepted: number): LobbyEvent[] {
  const proposal = proposalOf(lobby)
  if (proposal?.matchId !== matchId || accepted <= proposal.accepted) return []
  return [{ type: 'proposal_counted', accepted }]
}

/**
 * Releases a lobby from a proposed match that is not made. The party returns to `waiting` when one of its players did not answer, when its
 * deadline has passed, or when the queue can no longer match the party. In other cases the party searches again and keeps its age. A lobby
 * that this match does not hold is not changed.
 */
export function leaveProposal(
  lobby: Lobby,
  matchId: string,
  given: {
    readonly isSilent: boolean
    readonly fitsQueue: boolean
    /** Id of the ticket with which the party searches again. */
    readonly ticketId: string
    readonly at: Instant
  },
): LobbyEvent[] {
  const proposal = proposalOf(lobby)
  if (proposal === undefined || !isHeldBy(lobby, matchId)) return []
  if (given.isSilent) return [{ type: 'queue_left', reason: 'not_answered' }]
  if (proposal.ticketExpiresAt <= given.at) return [{ type: 'queue_left', reason: 'timeout' }]
  if (!given.fitsQueue) return [{ type: 'queue_left', reason: 'unmatchable' }]
  return [{ type: 'queue_rejoined', ticketId: given.ticketId, expiresAt: proposal.ticketExpiresAt }]
}

/** End of a proposal that one of its lobbies caused: the outcome, a sentence for a developer, and the players who caused it. */
export interface Parting {
  readonly outcome: 'declined' | 'impossible'
  readonly reason: string
  readonly blamed: readonly string[]
}

/** Reasons for leaving the queue that no player chose: the ticket timed out, the party no longer fits the queue, or another match was made. */
const UNCHOSEN: readonly string[] = ['timeout', 'unmatchable', 'matched_elsewhere'] satisfies QueueLeftReason[]
const isUnchosen = (event: LobbyEvent) =>
  event.type === 'queue_rejoined' || (event.type === 'queue_left' && UNCHOSEN.includes(event.reason))

/** Returns the end of a proposal when one of its lobbies leaves: `declined`, or `impossible` when no player chose to leave. */
export function partingOf(lobby: Lobby, events: readonly LobbyEvent[]): Parting {
  if (events.some(isUnchosen)) {
    return {
      outcome: 'impossible',
      reason: `a player's state changed in ${lobby.id}, and the rules no longer allow the match`,
      blamed: [],
    }
  }
  return {
    outcome: 'declined',
    reason: `${lobby.id} left the match: ${wordFor(events)}`,
    blamed: blamedFor(lobby, events),
  }
}

function wordFor(events: readonly LobbyEvent[]): string {
  const [last] = events.filter(({ type }) => type === 'lobby_deleted' || type === 'queue_left').slice(-1)
  return last !== undefined && 'reason' in last ? last.reason : 'deleted'
}

/** Returns the players who declined, cancelled, deleted the lobby, left it or did not answer. A kicked player is not among them. */
const blamedFor = (lobby: Lobby, events: readonly LobbyEvent[]): readonly string[] =>
  events.flatMap((event) => {
    switch (event.type) {
      case 'queue_left':
        return event.by === undefined ? [] : [event.by]
      case 'player_left':
        return event.reason === 'kicked' ? [] : [event.playerId]
      case 'lobby_deleted':
        // All players of an idle lobby were silent, so all of them are blamed.
        if (event.reason === 'idle') return lobby.players.map(({ playerId }) => playerId)
        return event.by === undefined ? [] : [event.by]
      default:
        return []
    }
  })
