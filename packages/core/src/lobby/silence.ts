import { accept, type Decision } from '../errors/decision'
import type { Queue } from '../queue/queue'
import { type Instant, SECOND_MS } from '../shared/time'
import { departFromLobby } from './decide'
import type { LobbyEvent } from './events'
import { endsLobby, evolveLobby } from './evolve'
import type { Lobby, LobbyPlayer } from './lobby'

/** What is known of who was last seen when; silence before `servingSince` counts for nobody. */
export interface Sightings {
  readonly servingSince: Instant
  readonly byPlayer: ReadonlyMap<string, Instant>
}

const lastSeen = (player: LobbyPlayer, { servingSince, byPlayer }: Sightings): Instant =>
  Math.max(player.joinedAt, byPlayer.get(player.playerId) ?? 0, servingSince)

const heartbeatMs = (queue: Queue): number =>
  queue.heartbeat ? queue.heartbeatTimeoutSeconds * SECOND_MS : Number.POSITIVE_INFINITY

const heartbeatDeadline = (lobby: Lobby, queue: Queue, seen: Sightings): Instant =>
  Math.min(...lobby.players.map((player) => lastSeen(player, seen))) + heartbeatMs(queue)

/** Plays, or is about to. */
const isBusy = (lobby: Lobby): boolean =>
  lobby.status === 'matched' || lobby.status === 'starting' || (lobby.status === 'in_game' && lobby.server !== null)

/** A lobby that plays, or is about to, is never idle. */
function idleDeadline(lobby: Lobby, queue: Queue, seen: Sightings): Instant {
  if (isBusy(lobby)) return Number.POSITIVE_INFINITY
  const members = lobby.players.map((player) => lastSeen(player, seen))
  return Math.max(lobby.updatedAt, seen.servingSince, ...members) + queue.lobbyTtlSeconds * SECOND_MS
}

/** When a member's silence, or the lobby's, has lasted too long; for a lobby that plays: when to look again. */
export function silentAt(lobby: Lobby, queue: Queue, seen: Sightings, now: Instant): Instant {
  const deadline = Math.min(heartbeatDeadline(lobby, queue, seen), idleDeadline(lobby, queue, seen))
  // A lobby that plays is looked at again when its game ends, by a job of its own; until then once per ttl.
  return Number.isFinite(deadline) ? deadline : now + queue.lobbyTtlSeconds * SECOND_MS
}

/** Drops members who fell silent, and deletes a lobby that is idle. */
export function dropSilent(lobby: Lobby, queue: Queue, seen: Sightings, at: Instant): Decision<LobbyEvent> {
  if (idleDeadline(lobby, queue, seen) <= at) return accept({ type: 'lobby_deleted', reason: 'idle' })
  const { hostLeaveBehavior } = queue
  const events: LobbyEvent[] = []
  let current = lobby
  for (const player of lobby.players) {
    if (lastSeen(player, seen) + heartbeatMs(queue) > at) continue
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
