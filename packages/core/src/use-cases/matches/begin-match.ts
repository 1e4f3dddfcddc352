import { withRequest } from '../../commit/consequences/open-seats'
import { Draft } from '../../commit/draft'
import { endOtherSearches } from '../../commit/end-other-searches'
import { writeLobby } from '../../commit/rows/lobby'
import { writeMatch } from '../../commit/rows/match'
import { transact } from '../../commit/transact'
import { beginGame } from '../../lobby/in-match'
import { decideBeginMatch as decideBegin } from '../../match/decide'
import type { Service } from '../../node/service'

/**
 * Starts the game of a match that needs no server, and ends the other searches of its players. Does not change a match that has begun or
 * ended.
 */
export async function beginMatch(ctx: Service, matchId: string): Promise<void> {
  await transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const match = await ctx.storage.get('match', matchId)
    const events = match === undefined ? [] : decideBegin(match, draft.at)
    if (match === undefined || events.length === 0) return { draft, answer: null }
    for (const lobby of await ctx.storage.getMany('lobby', match.lobbyIds)) {
      writeLobby(draft, lobby, beginGame(lobby, match.id, null))
    }
    writeMatch(draft, match, await withRequest(ctx, match, events, draft.at))
    return { draft, answer: null }
  })
  await endOtherSearches(ctx, matchId)
}
