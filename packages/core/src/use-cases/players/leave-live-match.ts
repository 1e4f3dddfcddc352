import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { ofLobby } from '../../commit/of-lobby'
import { transact } from '../../commit/transact'
import { orThrow, ServiceError } from '../../errors/service-error'
import { decideRemovePlayer, leaveQueue } from '../../lobby/decide'
import type { LobbyEvent } from '../../lobby/events'
import type { Lobby } from '../../lobby/lobby'
import { memberOf } from '../../lobby/members'
import { isHeldBy, proposalOf } from '../../lobby/stay'
import type { Match } from '../../match/match'
import type { Service } from '../../node/service'
import { queueKey } from '../../queue/queue'
import { liveMatchOf } from '../../reads/live-matches'
import type { OfPlayer } from './player-now'

/**
 * Takes the player out of the live match, by leaving the lobby with which the player is in it. A proposed match is declined instead. The
 * commit expects the version of the lobby. Throws MATCH_NOT_FOUND when no live match holds the player.
 */
export async function leaveLiveMatch(ctx: Service, input: OfPlayer, call?: CallOptions): Promise<void> {
  const { projectId, playerId } = input
  let left: { readonly before: Lobby; readonly events: readonly LobbyEvent[]; readonly after: Lobby } | undefined
  let matchId: string | undefined
  await transact(ctx, call, async () => {
    const draft = new Draft(ctx.clock.now())
    const match = await liveMatchOf(ctx, projectId, playerId)
    // The first attempt fixes the match: when the commit conflicts and is attempted again, the player must not leave a later match.
    matchId ??= match?.id
    const before = match?.id === matchId ? match && (await lobbyIn(ctx, match, playerId)) : undefined
    if (before === undefined) return nothingToLeave(playerId)
    const events = await departure(ctx, before, playerId)
    const after = ofLobby.write(draft, before, events)
    left = { before, events, after }
    await ofLobby.carry?.(ctx, draft, left)
    return { draft, answer: null, isContended: true }
  })
  if (left !== undefined) await ofLobby.settle?.(ctx, { projectId, lobbyId: left.before.id }, left)
}

function nothingToLeave(playerId: string): never {
  throw new ServiceError('MATCH_NOT_FOUND', `player ${JSON.stringify(playerId)} is in no live match`)
}

/**
 * Returns the lobby with which the player is in the match; undefined when the lobby or the player has left the match since the match was
 * read.
 */
async function lobbyIn(ctx: Service, { id, teams }: Match, playerId: string): Promise<Lobby | undefined> {
  const seat = teams
    .flatMap(({ players }) => players)
    .find((player) => player.playerId === playerId && player.leftAt === null)
  const lobby = seat && (await ctx.storage.get('lobby', seat.lobbyId))
  if (lobby === undefined || memberOf(lobby, playerId) === undefined) return undefined
  return lobby.matchId === id || isHeldBy(lobby, id) ? lobby : undefined
}

/** The present lobby decides: since the match was read, all players may have accepted it, or the time for answers may have passed. */
async function departure(ctx: Service, lobby: Lobby, playerId: string): Promise<readonly LobbyEvent[]> {
  if (proposalOf(lobby) !== undefined) return orThrow(leaveQueue(lobby, 'declined', playerId))
  const queue = await ctx.storage.get('queue', queueKey(lobby.projectId, lobby.queueId))
  const hostLeaveBehavior = queue?.hostLeaveBehavior ?? 'promote'
  return orThrow(decideRemovePlayer(lobby, { playerId, by: playerId, hostLeaveBehavior }))
}
