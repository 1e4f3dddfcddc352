import { leaveGame } from '../../lobby/in-match'
import type { Ending } from '../../lobby/last-exit'
import type { Lobby } from '../../lobby/lobby'
import { decideEndMatch, isFailedLaunch } from '../../match/decide'
import type { MatchEvent } from '../../match/events'
import type { Match, MatchBuild, MatchEnding } from '../../match/match'
import type { Ports } from '../../ports/ports'
import { requeuesOnFailure } from '../../queue/queue'
import { decideStopServer } from '../../server/decide'
import type { Draft } from '../draft'
import { writeLobby } from '../rows/lobby'
import { writeMatch } from '../rows/match'
import { writeServer } from '../rows/server'
import { queueOf } from './open-seats'

/**
 * Ends a match: each of its lobbies returns to `waiting`, without a server and a match. The server of the match is not changed: the caller
 * stops it if it has not ended. After a failed launch, the queue may say that the lobbies search again. `earlier`: events of the match in
 * the same commit, before its end. `build`: build of the server whose end ended the match. Returns the lobbies in their state after the commit.
 */
export async function matchOver(
  ctx: Ports,
  draft: Draft,
  match: Match,
  ending: Ending & Partial<MatchEnding>,
  earlier: readonly MatchEvent[] = [],
  build?: MatchBuild,
): Promise<Lobby[]> {
  const events = decideEndMatch(match, ending, draft.at, build)
  if (events.length === 0) return []
  const requeues = isFailedLaunch(match, ending) && (await queueRequeues(ctx, match))
  const lobbies = await ctx.storage.getMany('lobby', match.lobbyIds)
  const after = lobbies
    .filter((lobby) => lobby.matchId === match.id)
    .map((lobby) => writeLobby(draft, lobby, leaveGame(lobby, match.id, ending, requeues)))
  writeMatch(draft, match, [...earlier, ...events])
  return after
}

async function queueRequeues(ctx: Ports, match: Match): Promise<boolean> {
  const queue = await queueOf(ctx, match)
  return queue !== undefined && requeuesOnFailure(queue)
}

/** Stops the server of a match that ended before its server did. */
export async function stopServerOf(ctx: Ports, draft: Draft, match: Match, reason: string): Promise<void> {
  const server = match.serverId === null ? undefined : await ctx.storage.get('server', match.serverId)
  if (server !== undefined) writeServer(draft, server, decideStopServer(server, reason, 'match_ended'))
}
