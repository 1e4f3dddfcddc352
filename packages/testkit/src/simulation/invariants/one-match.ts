import type { Lobby } from '@matchyard/core'
import { proposalOf } from '@matchyard/core/domain'
import { heldIn, isExclusive, playersInMadeMatches } from './held'
import { type Invariant, twice } from './invariant'

/** Returns the id of a lobby's stay in the queue and the time at which it began; also while a proposal holds the lobby. */
const stayOf = (lobby: Lobby | undefined): { readonly id: string; readonly enteredAt: number } | undefined => {
  const held = lobby && proposalOf(lobby)
  if (held !== undefined) return { id: held.ticketId, enteredAt: held.enteredAt }
  return lobby?.status === 'in_queue' && lobby.ticket !== null ? lobby.ticket : undefined
}

/** Invariant: no player is in two live matches of queues that allow a player only one. A proposed match counts. */
export const nobodyIsInTwoMatches: Invariant = ({ now }) =>
  [...twice(heldIn(now), ({ playerId }) => playerId)].flatMap(([playerId, group]) => {
    const ids = [...new Set(group.map(({ match }) => match.id))]
    return ids.length > 1 ? [`${playerId} is in ${ids.join(' and ')}`] : []
  })

/** Invariant: a new match records whether its queue allowed a player only one live match at that time. */
export const aMatchRecordsItsHold: Invariant = ({ now, before }) =>
  [...now.matches.values()].flatMap((match) => {
    const queue = before?.queues.get(`${match.projectId}/${match.queueId}`)
    if (queue === undefined || before?.matches.has(match.id) !== false) return []
    const holds = match.holdsPlayers === true
    return holds === (queue.concurrentMatches !== true) ? [] : [`${match.id} holds its players: ${holds}`]
  })

/**
 * Invariant: the unique key of a player belongs to the live match that keeps the player out of other matches. A player
 * without such a match has no key, so nobody is locked out.
 */
export const aPlayersKeyIsTheirLiveMatch: Invariant = ({ now }) => {
  const held = new Map(heldIn(now).map(({ playerId, match }) => [playerId, match.id]))
  return [...new Set([...held.keys(), ...now.playing.keys()])].flatMap((playerId) => {
    const [inMatch, byKey] = [held.get(playerId), now.playing.get(playerId)]
    return inMatch === byKey ? [] : [`${playerId} is in ${inMatch}, and their key is of ${byKey}`]
  })
}

/**
 * Invariant: a lobby that stays in the queue keeps its ticket and the time at which it entered, also while another
 * match of a player sets its search aside. A match that is made at once counts the wait from that time.
 */
export const aSearchKeepsItsAge: Invariant = ({ now, before }) => [
  ...[...(before?.lobbies.values() ?? [])].flatMap((was) => {
    const [old, stay] = [stayOf(was), stayOf(now.lobbies.get(was.id))]
    if (old === undefined || stay === undefined || was.version + 1 !== now.lobbies.get(was.id)?.version) return []
    return old.enteredAt === stay.enteredAt ? [] : [`${was.id} waits since ${stay.enteredAt}, not ${old.enteredAt}`]
  }),
  ...[...now.matches.values()].flatMap(({ id, waits, createdAt, proposal }) => {
    if (before === undefined || before.matches.has(id) || proposal !== undefined) return []
    return waits.flatMap(({ lobbyId, waitedMs }) => {
      const since = stayOf(before.lobbies.get(lobbyId))?.enteredAt
      return since === createdAt - waitedMs ? [] : [`${id} counts ${waitedMs} ms for ${lobbyId}, there since ${since}`]
    })
  }),
]

/** Invariant: a search ends with `matched_elsewhere` only while a made match holds one of its players. */
export const onlySearchesOfTheMatchedEnd: Invariant = ({ now, before }) => {
  if (before === undefined) return []
  const matched = playersInMadeMatches(before)
  return [...now.lobbies.values()].flatMap((lobby) => {
    const was = before.lobbies.get(lobby.id)
    const isNew = lobby.lastExit?.reason === 'matched_elsewhere' && was?.version === lobby.version - 1
    if (!isNew || stayOf(was) === undefined || stayOf(lobby) !== undefined) return []
    const isRight = isExclusive(before, lobby) && was?.players.some(({ playerId }) => matched.has(playerId))
    return isRight === true ? [] : [`${lobby.id} was sent away, and none of its players is in a match`]
  })
}
