import type { Lobby, QueueTicket } from '@matchyard/core'
import { isLive, isProposed, unprovenOf } from '@matchyard/core/domain'
import { isParty, queueKey } from '@matchyard/core/ports'
import { findMatches } from '@matchyard/matchmaking'
import { holdKey, isExclusive, playersSetAside, settledHolds } from './held'
import type { Invariant } from './invariant'
import type { Snapshot } from './snapshot'

/**
 * Invariant: at the end, when no faults occur any more and every timeout has passed, no lobby is in a status that must
 * change by itself.
 */
export const noLobbyIsStuck: Invariant = ({ now }) =>
  [...now.lobbies.values()]
    .filter(({ status }) => status === 'in_queue' || status === 'matched' || status === 'starting')
    .map((lobby) => `${lobby.id} is stuck in ${lobby.status}`)

/** Invariant: every proposal ends. */
export const noProposalIsStuck: Invariant = ({ now }) =>
  [...now.matches.values()].filter(isProposed).map((match) => `${match.id} is still proposed`)

/**
 * Invariant: once jobs have run, a search does not continue that began before one of its players was matched in another
 * search. Queues that allow several live matches are excepted, and queues that may have allowed them when the search
 * began.
 */
export const noSearchOutlivesItsMatch: Invariant = ({ now }) => {
  const holds = settledHolds(now)
  return [...now.lobbies.values()].flatMap((lobby) => {
    const began = now.begun.get(lobby.ticket?.id ?? '')
    if (began === undefined || !isExclusive(now, lobby) || hasChangedSince(now, lobby)) return []
    const over = holds.find(
      ({ playerId, match }) =>
        lobby.players.some((player) => player.playerId === playerId) &&
        began < (now.begun.get(holdKey(match.id, playerId)) ?? 0),
    )
    return over === undefined ? [] : [`${over.playerId} plays in ${over.match.id}, and still searches in ${lobby.id}`]
  })
}

/** Whether the queue of a searching lobby changed after the search began. */
const hasChangedSince = ({ queues }: Snapshot, { projectId, queueId, ticket }: Lobby): boolean => {
  const queue = queues.get(queueKey(projectId, queueId))
  return queue !== undefined && queue.version > 1 && queue.updatedAt >= (ticket?.enteredAt ?? 0)
}

export const noServerIsStuck: Invariant = ({ now }) =>
  [...now.servers.values()]
    .filter(({ status }) => status === 'launching' || status === 'stopping')
    .map((server) => `${server.id} is stuck in ${server.status}`)

/**
 * Invariant: each process is the current attempt of a live server, on the node in the server's record. Processes on
 * lost machines are excepted.
 */
export const noProcessIsAnOrphan: Invariant = ({ now }) =>
  now.alive.flatMap(({ nodeId, process }) => {
    if (now.gone.has(nodeId)) return []
    const server = now.servers.get(process.instanceId)
    const owned =
      server !== undefined && isLive(server) && server.nodeId === nodeId && server.attempt === process.attempt
    return owned ? [] : [`${process.instanceId}#${process.attempt} runs on ${nodeId} and nobody's record says so`]
  })

/** Invariant: each running server has its process. */
export const noServerIsAGhost: Invariant = ({ now }) =>
  [...now.servers.values()].flatMap((server) => {
    if (server.status !== 'running' || server.relaunchAt !== null) return []
    const runs = now.alive.some(({ process }) => process.instanceId === server.id && process.attempt === server.attempt)
    return runs ? [] : [`${server.id} is running without a process`]
  })

/**
 * Invariant: each server with the status `running` accepts players, or has reported that it does. Without this
 * invariant, a failed restart could be billed forever.
 */
export const runningServersWereReady: Invariant = ({ now }) =>
  now.alive.flatMap(({ nodeId, process }) => {
    const server = now.servers.get(process.instanceId)
    if (server?.status !== 'running' || server.nodeId !== nodeId || server.attempt !== process.attempt) return []
    if (process.state === 'ready' || process.ownWord !== 'none' || now.gone.has(nodeId)) return []
    return [`${server.id}#${server.attempt} is running, and was never ready`]
  })

/** Invariant: lobbies, tickets, matches with their results, and standings contain no erased player. */
export const erasedPlayersAreGone: Invariant = ({ now }) => {
  const named = ({ players }: { readonly players: readonly { readonly playerId: string }[] }) =>
    players.flatMap(({ playerId }) => (now.erased.has(playerId) ? [playerId] : []))
  return [
    ...[...now.lobbies.values()].flatMap((lobby) =>
      named(lobby).map((who) => `${who} was erased and is in ${lobby.id}`),
    ),
    ...[...now.lobbies.values()].flatMap(({ id, banned = [] }) =>
      banned.flatMap((who) => (now.erased.has(who) ? [`${who} was erased and is banned from ${id}`] : [])),
    ),
    ...[...now.tickets.values()].flatMap((ticket) => named(ticket).map((who) => `${who} was erased and waits`)),
    ...[...now.matches.values()].flatMap(({ id, teams }) =>
      teams.flatMap(named).map((who) => `${who} was erased and stands in ${id}`),
    ),
    ...[...now.matches.values()].flatMap(({ id, result, counted }) =>
      [...(result === undefined ? [] : [result]), ...(counted?.teams ?? [])]
        .flatMap(named)
        .map((who) => `${who} was erased and stands in the result of ${id}`),
    ),
    ...named({ players: now.rated?.standings ?? [] }).map((who) => `${who} was erased and has a standing`),
  ]
}

/**
 * Invariant: no lobby contains a value of a trusted field that a client wrote before the queue trusted the field,
 * because the service removes such values.
 */
export const noUnprovenValueIsLeft: Invariant = ({ now }) =>
  [...now.lobbies.values()].flatMap(({ id, projectId, queueId, players }) => {
    const { trustedFields } = now.queues.get(queueKey(projectId, queueId)) ?? {}
    const left = players.flatMap((player) => unprovenOf(player, trustedFields ?? []))
    return left.map((field) => `${id} still holds ${field}, which nobody vouches for`)
  })

/** Whether a ticket returned from a proposal at the time of the snapshot, so that the last tick may have missed it. */
const isJustBack = ({ lobbyId, enteredAt }: QueueTicket, { at, lobbies }: Snapshot): boolean =>
  enteredAt < at && lobbies.get(lobbyId)?.updatedAt === at

/**
 * Invariant: after a tick, no two waiting tickets could be matched (for 1v1 queues, where the engine guarantees this).
 */
export const noMatchableDuelIsLeft: Invariant = ({ now }) => {
  const aside = playersSetAside(now)
  return [...now.queues.values()].flatMap((queue) => {
    const { matchmaking } = queue
    if (matchmaking?.playersPerTeam !== 1 || matchmaking.teams !== 2) return []
    const tickets = [...now.tickets.values()].filter(
      (ticket) =>
        ticket.queueKey === queue.id &&
        isParty(ticket) &&
        !isJustBack(ticket, now) &&
        !ticket.players.some(({ playerId }) => aside.has(playerId)),
    )
    const left = findMatches({ ...matchmaking, serverRegion: queue.serverSettings?.region ?? null }, tickets, now.at)
    return left.map(({ ticketIds }) => `in ${queue.queueId} nobody matched ${ticketIds.join(' with ')}`)
  })
}
