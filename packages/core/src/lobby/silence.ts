import { accept, type Decision } from '../errors/decision'
import type { Queue } from '../queue/queue'
import { heartbeatTimeoutMs, idleTimeoutMs, presenceTimeoutMs } from '../queue/timeouts'
import { HOUR_MS, type Instant } from '../shared/time'
import { departFromLobby } from './decide'
import type { LobbyEvent } from './events'
import { endsLobby, evolveLobby } from './evolve'
import type { Lobby, LobbyPlayer } from './lobby'

/** Instants at which players were last seen. The silence of players before `servingSince` does not count. */
export interface Sightings {
  readonly servingSince: Instant
  readonly byPlayer: ReadonlyMap<string, Instant>
}

/**
 * Maximum milliseconds between two checks of a lobby, even when no player can have fallen silent. The check also removes the presence of
 * players who have left.
 */
export const LOOK_WITHIN_MS = 6 * HOUR_MS

/**
 * Returns the time of the first check of a new lobby. Before that, no player can have been silent for too long. A join needs no earlier
 * check, because a member who joins later also falls silent later.
 */
export const firstLookAt = (queue: Queue, at: Instant): Instant =>
  at + Math.min(presenceTimeoutMs(queue), LOOK_WITHIN_MS)

/**
 * Returns the instant from which silence counts. Earlier silence was allowed by the timeouts of that time, so no player is removed for it.
 */
const countedSince = (lobby: Lobby, queue: Queue, { servingSince }: Sightings): Instant =>
  Math.max(servingSince, queue.watchedSince ?? 0, lobby.movedAt ?? 0)

const lastSeen = (player: LobbyPlayer, { byPlayer }: Sightings, since: Instant): Instant =>
  Math.max(player.joinedAt, byPlayer.get(player.playerId) ?? 0, since)

function heartbeatDeadline(lobby: Lobby, queue: Queue, seen: Sightings): Instant {
  const since = countedSince(lobby, queue, seen)
  return Math.min(...lobby.players.map((player) => lastSeen(player, seen, since))) + silenceMs(lobby, queue)
}

/** Whether the lobby is in a match, or its match is starting. */
const isBusy = ({ status }: Lobby): boolean => status === 'matched' || status === 'starting' || status === 'in_game'

/** Returns the maximum milliseconds that a member of the lobby may be silent at present. */
const silenceMs = (lobby: Lobby, queue: Queue): number => heartbeatTimeoutMs(queue, { isInMatch: isBusy(lobby) })

/** Returns the instant at which the lobby becomes idle. A lobby in a match, or with a match that is starting, never becomes idle. */
function idleDeadline(lobby: Lobby, queue: Queue, seen: Sightings): Instant {
  if (isBusy(lobby)) return Number.POSITIVE_INFINITY
  const since = countedSince(lobby, queue, seen)
  const members = lobby.players.map((player) => lastSeen(player, seen, since))
  return Math.max(lobby.updatedAt, since, ...members) + idleTimeoutMs(queue)
}

/**
 * Returns the instant at which a member, or the whole lobby, has been silent for too long. When neither can happen, returns the time of the
 * next check: for a lobby in a match, or with a match that is starting, in a queue without heartbeats.
 */
export function silentAt(lobby: Lobby, queue: Queue, seen: Sightings, now: Instant): Instant {
  const deadline = Math.min(heartbeatDeadline(lobby, queue, seen), idleDeadline(lobby, queue, seen))
  // The end of the game schedules its own check of the lobby. Until then, the lobby is checked at least once per idle timeout.
  return Number.isFinite(deadline) ? deadline : now + idleTimeoutMs(queue)
}

/** Removes the members who were silent for too long, and deletes the lobby when it is idle. */
export function dropSilent(lobby: Lobby, queue: Queue, seen: Sightings, at: Instant): Decision<LobbyEvent> {
  if (idleDeadline(lobby, queue, seen) <= at) return accept({ type: 'lobby_deleted', reason: 'idle' })
  const { hostLeaveBehavior } = queue
  const since = countedSince(lobby, queue, seen)
  const events: LobbyEvent[] = []
  let current = lobby
  for (const player of lobby.players) {
    if (lastSeen(player, seen, since) + silenceMs(lobby, queue) > at) continue
    const decision = departFromLobby(current, {
      playerId: player.playerId,
      reason: 'heartbeat_lost',
      hostLeaveBehavior,
    })
    if (!decision.ok) continue
    events.push(...decision.events)
    if (endsLobby(decision.events)) break
    current = decision.events.reduce(evolveLobby, current)
  }
  return accept(...events)
}
