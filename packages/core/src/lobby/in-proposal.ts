import { accept, type Decision, reject } from '../errors/decision'
import type { Instant } from '../shared/time'
import { traceOf } from '../shared/trace'
import { leaveQueue, notMember } from './decide'
import type { LobbyEvent, QueueLeftReason } from './events'
import { canMove } from './evolve'
import type { Lobby, LobbyTicket } from './lobby'
import { memberOf } from './members'
import type { LobbyProposal } from './proposal'
import { isHeldBy, proposalOf } from './stay'

/** A proposed match takes the lobby out of the pool; one whose ticket is another by now is not the one that was found. */
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
      `${lobby.id} is ${lobby.status}; only a lobby that searches is proposed a match`,
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
    ...traceOf(ticket),
  }
  return accept({ type: 'proposal_opened', proposal })
}

export interface AnswerCommand {
  readonly playerId: string
  /** The proposal that the player means; left out: the one that holds the lobby. */
  readonly matchId?: string | undefined
  readonly at: Instant
}

/** There is nothing that could be answered to. Rejects PLAYER_NOT_IN_LOBBY, NO_PROPOSAL. */
export const unasked = (lobby: Lobby, playerId: string) =>
  memberOf(lobby, playerId) === undefined
    ? notMember(lobby, playerId)
    : reject('NO_PROPOSAL', `no match is proposed to ${lobby.id}; it is ${lobby.status}`)

/** The proposal that an answer is for. Rejects PLAYER_NOT_IN_LOBBY, NO_PROPOSAL, PROPOSAL_CHANGED. */
function meant(lobby: Lobby, { playerId, matchId }: AnswerCommand): LobbyProposal | ReturnType<typeof reject> {
  const proposal = proposalOf(lobby)
  if (proposal === undefined || memberOf(lobby, playerId) === undefined) return unasked(lobby, playerId)
  if (matchId === undefined || matchId === proposal.matchId) return proposal
  return reject('PROPOSAL_CHANGED', `${proposal.matchId} is proposed to ${lobby.id} now, not ${matchId}`)
}

const isOver = ({ expiresAt }: LobbyProposal, at: Instant) => expiresAt <= at
const tooLate = ({ matchId }: LobbyProposal) => reject('NO_PROPOSAL', `the time to answer to ${matchId} is over`)

/**
 * A player accepts; again, nothing happens. `accepted` is how many of the match have with this one. Rejects PLAYER_NOT_IN_LOBBY,
 * NO_PROPOSAL, PROPOSAL_CHANGED.
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

/** A player declines, also after having accepted: the party leaves the queue. Rejects as `acceptProposal`. */
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
 * The proposed match is not made. A party of which somebody is silent waits; one that is past its deadline, or that the queue as it
 * is can never match, too; any other searches on with its age. One that the match does not hold is let be.
 */
export function leaveProposal(
  lobby: Lobby,
  matchId: string,
  given: {
    readonly isSilent: boolean
    readonly fitsQueue: boolean
    /** Id of the new ticket. */
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

/** End of a proposal by one of its lobbies: the outcome, a sentence for a developer, and the players to blame. */
export interface Parting {
  readonly outcome: 'declined' | 'impossible'
  readonly reason: string
  readonly blamed: readonly string[]
}

/** Ways out of the queue that nobody chose: a state that changed while the proposal held the lobby. */
const UNCHOSEN: readonly string[] = ['timeout', 'unmatchable'] satisfies QueueLeftReason[]
const isUnchosen = (event: LobbyEvent) =>
  event.type === 'queue_rejoined' || (event.type === 'queue_left' && UNCHOSEN.includes(event.reason))

/** Returns the meaning of a lobby's departure for the other lobbies of the proposal: declined, unless no player intended it. */
export function partingOf(lobby: Lobby, events: readonly LobbyEvent[]): Parting {
  if (events.some(isUnchosen)) {
    return {
      outcome: 'impossible',
      reason: `a player's state changed in ${lobby.id}, and the match no longer fits`,
      blamed: [],
    }
  }
  return { outcome: 'declined', reason: `${lobby.id} left it: ${wordFor(events)}`, blamed: blamedFor(lobby, events) }
}

function wordFor(events: readonly LobbyEvent[]): string {
  const [last] = events.filter(({ type }) => type === 'lobby_deleted' || type === 'queue_left').slice(-1)
  return last !== undefined && 'reason' in last ? last.reason : 'it is gone'
}

/** Returns the players who declined, cancelled, deleted, left or did not answer; a kicked player is not blamed. */
const blamedFor = (lobby: Lobby, events: readonly LobbyEvent[]): readonly string[] =>
  events.flatMap((event) => {
    switch (event.type) {
      case 'queue_left':
        return event.by === undefined ? [] : [event.by]
      case 'player_left':
        return event.reason === 'kicked' ? [] : [event.playerId]
      case 'lobby_deleted':
        // Nobody of an idle lobby was heard of.
        if (event.reason === 'idle') return lobby.players.map(({ playerId }) => playerId)
        return event.by === undefined ? [] : [event.by]
      default:
        return []
    }
  })
