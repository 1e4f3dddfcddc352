import { changeLobby } from '../../commit/change-lobby'
import type { Context } from '../../context/context'
import { ServiceError } from '../../errors/service-error'
import { departFromLobby } from '../../lobby/decide'
import type { LobbyEvent } from '../../lobby/events'
import { evolve } from '../../lobby/evolve'
import type { Lobby } from '../../lobby/lobby'
import { type Queue, queueKey } from '../../queue/queue'
import { accept, type Decision } from '../../shared/decision'
import { SECOND_MS } from '../../shared/time'

/** When each player was last seen; silence before this process took calls counts for nobody. */
type Sightings = ReadonlyMap<string, number>

/**
 * Drops players who fell silent and deletes a lobby that is idle. Answers when to look again, undefined once the lobby is gone.
 * Deadlines are judged anew each time, so a late or repeated run does no harm.
 */
export async function watchOverLobby(ctx: Context, lobbyId: string): Promise<number | undefined> {
  const lobby = await ctx.storage.get('lobby', lobbyId)
  if (lobby === undefined) return undefined
  const queue = await ctx.storage.get('queue', queueKey(lobby.projectId, lobby.queueId))
  if (queue === undefined) return undefined
  const seen = await sightingsOf(ctx, lobby)
  const now = ctx.clock.now()
  const due = nextDeadline(ctx, lobby, queue, seen)
  if (due > now) return due
  const after = await sweep(ctx, lobby, queue, seen)
  if (after === undefined) return undefined
  return Math.max(nextDeadline(ctx, after, queue, seen), now + 1)
}

async function sightingsOf(ctx: Context, lobby: Lobby): Promise<Sightings> {
  const rows = await ctx.storage.presence.read(lobby.id)
  return new Map(rows.map(({ member, at }) => [member, at]))
}

const lastSeen = (ctx: Context, seen: Sightings, player: Lobby['players'][number]): number =>
  Math.max(player.joinedAt, seen.get(player.playerId) ?? 0, ctx.servingSince)

function heartbeatDeadline(ctx: Context, lobby: Lobby, queue: Queue, seen: Sightings): number {
  if (!queue.heartbeat) return Number.POSITIVE_INFINITY
  return (
    Math.min(...lobby.players.map((player) => lastSeen(ctx, seen, player))) + queue.heartbeatTimeoutSeconds * SECOND_MS
  )
}

/** A lobby that plays, or is about to, is never idle. */
function idleDeadline(ctx: Context, lobby: Lobby, queue: Queue, seen: Sightings): number {
  const busy =
    lobby.status === 'matched' || lobby.status === 'starting' || (lobby.status === 'in_game' && lobby.server !== null)
  if (busy) return Number.POSITIVE_INFINITY
  const members = lobby.players.map((player) => lastSeen(ctx, seen, player))
  return Math.max(lobby.updatedAt, ctx.servingSince, ...members) + queue.lobbyTtlSeconds * SECOND_MS
}

function nextDeadline(ctx: Context, lobby: Lobby, queue: Queue, seen: Sightings): number {
  const deadline = Math.min(heartbeatDeadline(ctx, lobby, queue, seen), idleDeadline(ctx, lobby, queue, seen))
  // A lobby that plays is looked at again when its game ends, by a job of its own; until then once per ttl.
  return Number.isFinite(deadline) ? deadline : ctx.clock.now() + queue.lobbyTtlSeconds * SECOND_MS
}

async function sweep(ctx: Context, lobby: Lobby, queue: Queue, seen: Sightings): Promise<Lobby | undefined> {
  try {
    const after = await changeLobby(ctx, { projectId: lobby.projectId, lobbyId: lobby.id }, (current, plan) =>
      sweepDecision(ctx, current, queue, seen, plan.at),
    )
    return (await ctx.storage.get('lobby', after.id)) === undefined ? undefined : after
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'LOBBY_NOT_FOUND') return undefined
    throw error
  }
}

function sweepDecision(ctx: Context, lobby: Lobby, queue: Queue, seen: Sightings, at: number): Decision<LobbyEvent> {
  if (idleDeadline(ctx, lobby, queue, seen) <= at) return accept({ type: 'lobby_deleted', reason: 'idle' })
  const silent = lobby.players.filter(
    (player) => queue.heartbeat && lastSeen(ctx, seen, player) + queue.heartbeatTimeoutSeconds * SECOND_MS <= at,
  )
  const events: LobbyEvent[] = []
  let current = lobby
  for (const { playerId } of silent) {
    const { hostLeaveBehavior } = queue
    const decision = departFromLobby(current, { playerId, reason: 'heartbeat_lost', hostLeaveBehavior })
    if (!decision.ok) continue
    events.push(...decision.events)
    if (decision.events.some((event) => event.type === 'lobby_deleted')) break
    current = decision.events.reduce(evolve, current)
  }
  return accept(...events)
}
