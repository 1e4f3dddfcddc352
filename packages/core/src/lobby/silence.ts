import { accept, type Decision } from '../errors/decision'
import type { Queue } from '../queue/queue'
import { heartbeatTimeoutMs, idleTimeoutMs, presenceTimeoutMs } from '../queue/timeouts'
import { HOUR_MS, type Instant } from '../shared/time'
import { departFromLobby } from './decide'
import type { LobbyEvent } from './events'
import { endsLobby, evolveLobby } from './evolve'
import type { Lobby, LobbyPlayer } from './lobby'

/** Last sightings of players; silence before `servingSince` counts for no player. */
export interface Sightings {
  readonly servingSince: Instant
  readonly byPlayer: ReadonlyMap<string, Instant>
}

/**
 * Maximum milliseconds between two checks of a lobby, also when no player can have fallen silent: the check also removes departed players'
 * sightings.
 */
export const LOOK_WITHIN_MS = 6 * HOUR_MS

/**
 * Returns the time of the first check of a new lobby: no player can have fallen silent before. A later member falls silent no earlier than the
 * host could at the last check, so a join needs no check of its own.
 */
export const firstLookAt = (queue: Queue, at: Instant): Instant =>
  at + Math.min(presenceTimeoutMs(queue), LOOK_WITHIN_MS)

/**
 * Returns the instant from which silence counts. Silence before it was allowed by the timeouts of that time, so no player is dropped for
 * it.
 */
const countedSince = (lobby: Lobby, queue: Queue, { servingSince }: Sightings): Instant =>
  Math.max(servingSince, queue.watchedSince ?? 0, lobby.movedAt ?? 0)

const lastSeen = (player: LobbyPlayer, { byPlayer }: Sightings, since: Instant): Instant =>
  Math.max(player.joinedAt, byPlayer.get(player.playerId) ?? 0, since)

function heartbeatDeadline(lobby: Lobby, queue: Queue, seen: Sightings): Instant {
  const since = countedSince(lobby, queue, seen)
  return Math.min(...lobby.players.map((player) => lastSeen(player, seen, since))) + heartbeatTimeoutMs(queue)
}

/** Whether the lobby plays, or will soon. */
const isBusy = ({ status }: Lobby): boolean => status === 'matched' || status === 'starting' || status === 'in_game'

/** Returns when the lobby becomes idle; never for a lobby that plays or will soon. */
function idleDeadline(lobby: Lobby, queue: Queue, seen: Sightings): Instant {
  if (isBusy(lobby)) return Number.POSITIVE_INFINITY
  const since = countedSince(lobby, queue, seen)
  const members = lobby.players.map((player) => lastSeen(player, seen, since))
  return Math.max(lobby.updatedAt, since, ...members) + idleTimeoutMs(queue)
}

/**
 * Returns when the silence of a member, or of the whole lobby, has lasted too long. For a lobby that plays it returns the time of the next
 * check.
 */
export function silentAt(lobby: Lobby, queue: Queue, seen: Sightings, now: Instant): Instant {
  const deadline = Math.min(heartbeatDeadline(lobby, queue, seen), idleDeadline(lobby, queue, seen))
  // A lobby that plays is checked again when its game ends, by a job of its own, and at least once per idle timeout.
  return Number.isFinite(deadline) ? deadline : now + idleTimeoutMs(queue)
}

/** Drops the members who fell silent, and deletes a lobby that is idle. */
export function dropSilent(lobby: Lobby, queue: Queue, seen: Sightings, at: Instant): Decision<LobbyEvent> {
  if (idleDeadline(lobby, queue, seen) <= at) return accept({ type: 'lobby_deleted', reason: 'idle' })
  const { hostLeaveBehavior } = queue
  const since = countedSince(lobby, queue, seen)
  const events: LobbyEvent[] = []
  let current = lobby
  for (const player of lobby.players) {
    if (lastSeen(player, seen, since) + heartbeatTimeoutMs(queue) > at) continue
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
