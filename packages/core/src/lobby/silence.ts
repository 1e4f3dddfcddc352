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

/** Longest time between two checks of a lobby, also where no player can have fallen silent: a departed player must not stay longer in it. */
export const LOOK_WITHIN_MS = 6 * HOUR_MS

/**
 * Returns the time of the first check of a new lobby: no player can have fallen silent before. A later member falls silent no earlier than the
 * host could at the last check, so a join needs no check of its own.
 */
export const firstLookAt = (queue: Queue, at: Instant): Instant =>
  at + Math.min(presenceTimeoutMs(queue), LOOK_WITHIN_MS)

/** Since when silence counts: nobody is dropped for what was no silence by the timeouts of its time. */
const countedSince = (lobby: Lobby, queue: Queue, { servingSince }: Sightings): Instant =>
  Math.max(servingSince, queue.watchedSince ?? 0, lobby.movedAt ?? 0)

const lastSeen = (player: LobbyPlayer, { byPlayer }: Sightings, since: Instant): Instant =>
  Math.max(player.joinedAt, byPlayer.get(player.playerId) ?? 0, since)

function heartbeatDeadline(lobby: Lobby, queue: Queue, seen: Sightings): Instant {
  const since = countedSince(lobby, queue, seen)
  return Math.min(...lobby.players.map((player) => lastSeen(player, seen, since))) + heartbeatTimeoutMs(queue)
}

/** Plays, or is about to. */
const isBusy = ({ status }: Lobby): boolean => status === 'matched' || status === 'starting' || status === 'in_game'

/** A lobby that plays, or is about to, is never idle. */
function idleDeadline(lobby: Lobby, queue: Queue, seen: Sightings): Instant {
  if (isBusy(lobby)) return Number.POSITIVE_INFINITY
  const since = countedSince(lobby, queue, seen)
  const members = lobby.players.map((player) => lastSeen(player, seen, since))
  return Math.max(lobby.updatedAt, since, ...members) + idleTimeoutMs(queue)
}

/** When a member's silence, or the lobby's, has lasted too long; for a lobby that plays: when to look again. */
export function silentAt(lobby: Lobby, queue: Queue, seen: Sightings, now: Instant): Instant {
  const deadline = Math.min(heartbeatDeadline(lobby, queue, seen), idleDeadline(lobby, queue, seen))
  // A lobby that plays is looked at again when its game ends, by a job of its own; until then once per ttl.
  return Number.isFinite(deadline) ? deadline : now + idleTimeoutMs(queue)
}

/** Drops members who fell silent, and deletes a lobby that is idle. */
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
