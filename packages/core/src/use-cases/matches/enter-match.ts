import { Draft } from '../../commit/draft'
import { endOtherSearches } from '../../commit/end-other-searches'
import { writeLobby } from '../../commit/rows/lobby'
import { transact } from '../../commit/transact'
import { beginGame } from '../../lobby/in-match'
import { isOn } from '../../match/decide'
import type { Service } from '../../node/service'

/**
 * Moves the new lobbies of a running match into the game, shows them the server, and ends the other searches of their players. Does not
 * change lobbies that are in the game already, or that have left the match.
 */
export async function enterMatch(ctx: Service, matchId: string): Promise<void> {
  await transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const match = await ctx.storage.get('match', matchId)
    if (match === undefined || !isOn(match)) return { draft, answer: null }
    for (const lobby of await ctx.storage.getMany('lobby', match.lobbyIds)) {
      writeLobby(draft, lobby, beginGame(lobby, match.id, lobby.server))
    }
    return { draft, answer: null }
  })
  await endOtherSearches(ctx, matchId)
}
