import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { ofLobby } from '../../commit/of-lobby'
import { transact } from '../../commit/transact'
import { orThrow, ServiceError } from '../../errors/service-error'
import { decideRemovePlayer } from '../../lobby/decide'
import type { LobbyEvent } from '../../lobby/events'
import { decideDeclineProposal } from '../../lobby/in-proposal'
import type { Lobby } from '../../lobby/lobby'
import type { Match } from '../../match/match'
import { isProposed } from '../../match/proposal'
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
  await transact(ctx, call, async () => {
    const draft = new Draft(ctx.clock.now())
    const match = await liveMatchOf(ctx, projectId, playerId)
    const before = match && (await lobbyIn(ctx, match, playerId))
    if (match === undefined || before === undefined) return nothingToLeave(playerId)
    const events = await departure(ctx, match, before, { playerId, at: draft.at })
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

/** Returns the lobby with which the player is in the match. */
async function lobbyIn(ctx: Service, { teams }: Match, playerId: string): Promise<Lobby | undefined> {
  const seat = teams
    .flatMap(({ players }) => players)
    .find((player) => player.playerId === playerId && player.leftAt === null)
  return seat === undefined ? undefined : ctx.storage.get('lobby', seat.lobbyId)
}

async function departure(
  ctx: Service,
  match: Match,
  lobby: Lobby,
  { playerId, at }: { readonly playerId: string; readonly at: number },
): Promise<readonly LobbyEvent[]> {
  if (isProposed(match)) return orThrow(decideDeclineProposal(lobby, { playerId, matchId: match.id, at }))
  const queue = await ctx.storage.get('queue', queueKey(lobby.projectId, lobby.queueId))
  const hostLeaveBehavior = queue?.hostLeaveBehavior ?? 'promote'
  return orThrow(decideRemovePlayer(lobby, { playerId, by: playerId, hostLeaveBehavior }))
}
