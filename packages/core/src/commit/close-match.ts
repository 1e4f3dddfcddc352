import type { Context } from '../context/context'
import type { LobbyEvent } from '../lobby/events'
import { canMove } from '../lobby/evolve'
import type { Lobby } from '../lobby/lobby'
import type { Match } from '../match/match'
import type { Plan } from './draft'

/**
 * Ends a match in the plan's commit: every lobby still in it returns to `waiting` with neither server nor match. A lobby that was
 * not yet in the game returns because its launch failed. The server is the caller's affair. Answers the lobbies as they will be.
 */
export async function finishMatch(ctx: Context, plan: Plan, match: Match, reason: string): Promise<Lobby[]> {
  if (match.endedAt !== null) return []
  const lobbies = await ctx.storage.getMany('lobby', match.lobbyIds)
  const after = lobbies
    .filter((lobby) => lobby.matchId === match.id)
    .map((lobby) => plan.lobby(lobby, [returnToWaiting(lobby, reason)]))
  const ended = plan.update('match', match, { ...match, endedAt: plan.at })
  plan.tell({ type: 'match_ended', match: ended, reason }, match.projectId)
  return after
}

const returnToWaiting = (lobby: Lobby, reason: string): LobbyEvent =>
  canMove(lobby, 'end') ? { type: 'game_ended', reason } : { type: 'launch_failed', reason }
