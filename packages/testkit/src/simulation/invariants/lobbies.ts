import type { Lobby } from '@matchyard/core'
import { externalServerOf, LOBBY_TRANSITIONS, MAX_LOBBY_BANS, proposalOf, summaryOf } from '@matchyard/core/domain'
import { isParty, openSeats, type StreamEvent } from '@matchyard/core/ports'
import { type Invariant, textOf, twice } from './invariant'

const each =
  (check: (lobby: Lobby, view: Parameters<Invariant>[0]) => string[]): Invariant =>
  (view) =>
    [...view.now.lobbies.values()].flatMap((lobby) => check(lobby, view))

const IN_MATCH = ['matched', 'starting', 'in_game']

/** Invariant: a lobby has at least one player, at most as many players as places, and no player twice. */
export const nobodyOverfillsALobby: Invariant = each(({ id, players, maxPlayers }) => [
  ...(players.length > maxPlayers ? [`${id} has ${players.length} players and ${maxPlayers} places`] : []),
  ...(players.length === 0 ? [`${id} has no players`] : []),
  ...[...twice(players, (player) => player.playerId).keys()].map((playerId) => `${playerId} is in ${id} twice`),
])

/**
 * Invariant: no banned player is in the lobby. The list of banned players has no duplicates, and no more entries than
 * allowed.
 */
export const nobodyBannedIsInALobby: Invariant = each(({ id, players, banned = [] }) => [
  ...players.flatMap(({ playerId }) => (banned.includes(playerId) ? [`${playerId} is in ${id}, which bars them`] : [])),
  ...[...twice(banned, (playerId) => playerId).keys()].map((playerId) => `${id} bars ${playerId} twice`),
  ...(banned.length > MAX_LOBBY_BANS ? [`${id} bars ${banned.length} players`] : []),
])

/** Invariant: a lobby with a quick-join key has a free seat, and no two lobbies have the same key. */
export const aQuickJoinKeyLeadsToASeat: Invariant = ({ now }) => {
  const held = [...now.lobbies.values()].filter(({ quickJoinKey }) => quickJoinKey !== undefined)
  return [
    ...held.flatMap((lobby) => (openSeats(lobby) > 0 ? [] : [`${lobby.id} holds a quick-join key without a seat`])),
    ...[...twice(held, ({ quickJoinKey = '' }) => quickJoinKey).keys()].map((key) => `two lobbies hold ${key}`),
  ]
}

export const theHostIsAMember: Invariant = each(({ id, hostPlayerId, players }) =>
  players.some((player) => player.playerId === hostPlayerId) ? [] : [`${hostPlayerId} hosts ${id} without being in it`],
)

/**
 * Invariant: a lobby has the id of a match exactly while its status needs a match. The match runs, and contains the id
 * of the lobby.
 */
export const aLobbyNamesItsMatch: Invariant = each((lobby, { now }) => {
  const { id, status, matchId } = lobby
  if ((matchId !== null) !== IN_MATCH.includes(status)) return [`${id} is ${status} with match ${matchId}`]
  if (matchId === null) return lobby.server === null ? [] : [`${id} is ${status} and shows a server`]
  const match = now.matches.get(matchId)
  if (match === undefined) return [`${id} names ${matchId}, which does not exist`]
  if (match.endedAt !== null) return [`${id} is ${status} in ${matchId}, which has ended`]
  return match.lobbyIds.includes(id) ? [] : [`${id} names ${matchId}, which does not know it`]
})

/**
 * Invariant: each queued lobby has one ticket row, in the version that the lobby contains, with the lobby's players.
 */
export const aQueuedLobbyHasItsTicket: Invariant = ({ now }) => {
  const inQueue = [...now.lobbies.values()].filter((lobby) => lobby.status === 'in_queue')
  const queued = inQueue.filter((lobby) => proposalOf(lobby) === undefined)
  const wrong = queued.flatMap((lobby) => {
    const row = lobby.ticket === null ? undefined : now.tickets.get(lobby.ticket.id)
    if (row === undefined) return [`${lobby.id} is in_queue without a ticket`]
    const states = new Map(lobby.players.map((player) => [player.playerId, JSON.stringify(player.state)]))
    const same =
      row.version === lobby.ticket?.version &&
      row.lobbyId === lobby.id &&
      row.queueKey === `${lobby.projectId}/${lobby.queueId}` &&
      row.players.length === lobby.players.length &&
      row.players[0]?.playerId === lobby.hostPlayerId &&
      row.players.every((player) => states.get(player.playerId) === JSON.stringify(player.state))
    return same ? [] : [`${lobby.id} and its ticket ${row.id} differ`]
  })
  const named = new Set(queued.map((lobby) => lobby.ticket?.id))
  const parties = [...now.tickets.values()].filter(isParty)
  const stray = parties.filter(({ id }) => !named.has(id)).map(({ id }) => `ticket ${id} is nobody's`)
  const idle = [...now.lobbies.values()].filter((lobby) => lobby.status !== 'in_queue' && lobby.ticket !== null)
  return [...wrong, ...stray, ...idle.map((lobby) => `${lobby.id} is ${lobby.status} and names a ticket`)]
}

/**
 * Invariant: a lobby shows the current state of its server, launched or external. The lobby's status is `in_game`
 * exactly while that server runs.
 */
export const aLobbyShowsItsServer: Invariant = each((lobby, { now }) => {
  const match = lobby.matchId === null ? undefined : now.matches.get(lobby.matchId)
  const server = match?.serverId == null ? undefined : now.servers.get(match.serverId)
  const launched = server === undefined ? null : summaryOf(server)
  const shown = match?.external === undefined ? launched : externalServerOf(match)
  if (JSON.stringify(shown) !== JSON.stringify(lobby.server)) {
    return [`${lobby.id} shows ${JSON.stringify(lobby.server)}, and its server is ${JSON.stringify(shown)}`]
  }
  if (match === undefined || (match.serverId === null && match.external === undefined)) return []
  // A lobby that joins a running match shows the server of the match before its status becomes `in_game`, which takes
  // another commit.
  const comes = lobby.status === 'matched' || (lobby.status === 'starting' && match.waits.length > 0)
  const isNewcomer = comes && match.waits.every(({ lobbyId }) => lobbyId !== lobby.id)
  const plays = lobby.status === 'in_game' || isNewcomer
  return plays === (shown?.status === 'running') ? [] : [`${lobby.id} is ${lobby.status}, its server ${shown?.status}`]
})

/**
 * Invariant: a stream has one event for each version, from 1 on and without a gap. The last event equals the lobby's
 * row, or reports the deletion of the lobby.
 */
export const aStreamTellsEveryVersion: Invariant = ({ now, history }) =>
  [...history].flatMap(([lobbyId, events]) => {
    const gap = events.findIndex((event, index) => event.version !== index + 1 || event.lobby.version !== event.version)
    if (gap !== -1) return [`the stream of ${lobbyId} has version ${events[gap]?.version} in place ${gap + 1}`]
    const [last, row] = [events.at(-1), now.lobbies.get(lobbyId)]
    if (last === undefined) return [`${lobbyId} has no events`]
    if (last.name === 'lobby_deleted') return row === undefined ? [] : [`${lobbyId} is there after its deletion`]
    return row !== undefined && textOf(last.lobby) === textOf(row)
      ? []
      : [`the last event of ${lobbyId} is not its row`]
  })

/**
 * Invariant: each change of a lobby's status is in the table of transitions. So a cancelled lobby is matched only after
 * it was queued again.
 */
export const aLobbyFollowsItsTable: Invariant = ({ history }) => {
  const allowed = new Set(LOBBY_TRANSITIONS.map(({ from, to }) => `${from} ${to}`))
  const follows = (before: StreamEvent, after: StreamEvent) =>
    before.lobby.status === after.lobby.status || allowed.has(`${before.lobby.status} ${after.lobby.status}` as never)
  return [...history].flatMap(([lobbyId, events]) =>
    events.slice(1).flatMap((event, index) => {
      const before = events[index] as StreamEvent
      return follows(before, event) ? [] : [`${lobbyId} went from ${before.lobby.status} to ${event.lobby.status}`]
    }),
  )
}

/** Returns the lobby as JSON, without the lists of players to avoid: an answer has only those that its caller may see. */
const shown = (lobby: Lobby): string =>
  JSON.stringify({
    ...lobby,
    players: lobby.players.map(({ hidden: _, state: { avoid: __, ...state }, ...player }) => ({ ...player, state })),
  })

/**
 * Invariant: the lobby in each answer was committed. For example, a cancellation that the service acknowledged really
 * happened.
 */
export const anAnswerIsItsCommit: Invariant = ({ answers, history }) =>
  answers.flatMap((answer) => {
    const event = history.get(answer.id)?.find(({ version }) => version === answer.version)
    return event !== undefined && shown(event.lobby) === shown(answer)
      ? []
      : [`${answer.id} was answered in version ${answer.version} as it never was`]
  })
