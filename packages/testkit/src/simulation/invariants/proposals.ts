import type { Match } from '@matchyard/core'
import { acceptedOf, isProposed, proposalOf } from '@matchyard/core/domain'
import type { Invariant } from './invariant'

const playersOf = (match: Match) => match.teams.flatMap(({ players }) => players)

/**
 * Invariant: a lobby in a proposal belongs to a proposed match that contains the lobby's id. The match has exactly the
 * lobby's players, with the answers that the lobby shows.
 */
export const aHeldLobbyBelongsToItsProposal: Invariant = ({ now }) =>
  [...now.lobbies.values()].flatMap((lobby) => {
    const held = proposalOf(lobby)
    if (lobby.proposal !== held) return [`${lobby.id} is ${lobby.status} and keeps a proposal`]
    if (held === undefined) return []
    if (lobby.ticket !== null) return [`${lobby.id} is held and has a ticket`]
    const match = now.matches.get(held.matchId)
    if (match === undefined || !isProposed(match))
      return [`${lobby.id} is held by ${held.matchId}, which is not proposed`]
    const there = playersOf(match).filter(({ lobbyId }) => lobbyId === lobby.id)
    const answers = new Map(there.map(({ playerId, answer }) => [playerId, answer]))
    const same =
      there.length === lobby.players.length &&
      held.players.length === there.length &&
      held.players.every(({ playerId, answer }) => answers.get(playerId) === answer)
    if (!same) return [`${lobby.id} and ${match.id} differ in who was asked and what they said`]
    const counts = held.needed === playersOf(match).length && held.accepted <= acceptedOf(match)
    return counts ? [] : [`${lobby.id} counts ${held.accepted} of ${held.needed}, not as ${match.id}`]
  })

/** Invariant: every lobby of a proposed match is marked as in this proposal, so a lobby is in at most one proposal. */
export const aProposalHoldsItsLobbies: Invariant = ({ now }) =>
  [...now.matches.values()].filter(isProposed).flatMap((match) =>
    match.lobbyIds.flatMap((lobbyId) => {
      const lobby = now.lobbies.get(lobbyId)
      const held = lobby && proposalOf(lobby)
      return held?.matchId === match.id ? [] : [`${match.id} is proposed to ${lobbyId}, which it does not hold`]
    }),
  )

/** Invariant: no player who was asked and did not accept is matched. */
export const nobodyIsMatchedWhoDidNotAccept: Invariant = ({ now }) =>
  [...now.matches.values()]
    .filter(
      (match) =>
        match.proposal !== undefined && match.status !== 'proposed' && match.proposal.settled?.outcome === 'accepted',
    )
    .flatMap((match) =>
      playersOf(match)
        // New players of a running match are not asked to accept, so the check leaves them out.
        .filter(({ answer }) => answer !== undefined && answer !== 'accepted')
        .map(({ playerId }) => `${playerId} is in ${match.id} and has not accepted it`),
    )

/**
 * Invariant: a lobby that returns from a proposal to the queue keeps the time at which it entered the queue. A lobby
 * whose players all accepted does not leave the queue when other players do not answer.
 */
export const nobodyLosesAgeToAProposal: Invariant = ({ now, before }) =>
  [...(before?.lobbies.values() ?? [])].flatMap((was) => {
    const held = proposalOf(was)
    const lobby = now.lobbies.get(was.id)
    if (held === undefined || lobby === undefined || lobby.version !== was.version + 1) return []
    if (lobby.ticket !== null && lobby.ticket.enteredAt !== held.enteredAt) return [`${was.id} came back younger`]
    const answered = held.players.every(({ answer }) => answer === 'accepted')
    return lobby.lastExit?.reason === 'not_answered' && answered ? [`${was.id} had answered and was sent away`] : []
  })
