import { Plan } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { Context } from '../../context/context'
import { canMove } from '../../lobby/evolve'

/** A match that needs no server goes on to the game; done before, or over, it does nothing. */
export async function beginMatch(ctx: Context, matchId: string): Promise<void> {
  await transact(ctx, undefined, async () => {
    const plan = new Plan(ctx.clock.now())
    const match = await ctx.storage.get('match', matchId)
    if (match === undefined || match.endedAt !== null) return { plan, answer: null }
    for (const lobby of await ctx.storage.getMany('lobby', match.lobbyIds)) {
      if (lobby.matchId === match.id && canMove(lobby, 'begin'))
        plan.lobby(lobby, [{ type: 'game_began', server: null }])
    }
    return { plan, answer: null }
  })
}
