import { ofLobby } from '../../commit/of-lobby'
import { change } from '../../commit/transact'
import { isNotFound } from '../../errors/service-error'
import type { Lobby } from '../../lobby/lobby'
import { memberOf } from '../../lobby/members'
import { dropSilent, LOOK_WITHIN_MS, type Sightings, silentAt } from '../../lobby/silence'
import type { Service } from '../../node/service'
import { type Queue, queueKey } from '../../queue/queue'

/**
 * Removes members who were silent for too long, and deletes an idle lobby. Returns the time of the next check; undefined when the lobby no
 * longer exists. Each run computes the deadlines again, so a late or repeated run does no harm.
 */
export async function watchOverLobby(ctx: Service, lobbyId: string): Promise<number | undefined> {
  const readAt = ctx.clock.now()
  const lobby = await ctx.storage.get('lobby', lobbyId)
  if (lobby === undefined) return undefined
  const queue = await ctx.storage.get('queue', queueKey(lobby.projectId, lobby.queueId))
  if (queue === undefined) return undefined
  const seen = await sightingsOf(ctx, lobby, readAt)
  const now = ctx.clock.now()
  const due = silentAt(lobby, queue, seen, now)
  const lookBy = now + LOOK_WITHIN_MS
  if (due > now) return Math.min(due, lookBy)
  const after = await sweep(ctx, lobby, queue, seen)
  return after && Math.min(Math.max(silentAt(after, queue, seen, ctx.clock.now()), now + 1), lookBy)
}

async function sightingsOf(ctx: Service, lobby: Lobby, readAt: number): Promise<Sightings> {
  const rows = await ctx.storage.presence.read(lobby.id)
  // A stream that ends on another node may record the presence of a player who has left, so the presence of non-members is removed. A
  // player seen after the lobby was read may have joined since.
  const strangers = rows.filter(({ member, at }) => at < readAt && memberOf(lobby, member) === undefined)
  if (strangers.length > 0) await ctx.storage.presence.forgetMembers(lobby.id, strangers)
  // Time that the clock skipped while the machine was stopped does not count as silence, because no heartbeat could arrive.
  const servingSince = Math.max(ctx.node.servingSince, ctx.clock.report?.().steppedTo ?? 0)
  return { servingSince, byPlayer: new Map(rows.map(({ member, at }) => [member, at])) }
}

/** Removes the members who are silent for too long at present. Returns the lobby; undefined when it no longer exists. */
async function sweep(ctx: Service, lobby: Lobby, queue: Queue, seen: Sightings): Promise<Lobby | undefined> {
  const target = { projectId: lobby.projectId, lobbyId: lobby.id }
  try {
    const after = await change(ctx, ofLobby, target, (current, { at }) => dropSilent(current, queue, seen, at))
    return (await ctx.storage.get('lobby', after.id)) === undefined ? undefined : after
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}
