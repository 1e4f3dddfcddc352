import { Draft } from '../../commit/draft'
import { writeLobby } from '../../commit/rows/lobby'
import { writeMatch } from '../../commit/rows/match'
import { transact } from '../../commit/transact'
import { countAnswers } from '../../lobby/in-proposal'
import { acceptedOf, isProposed, spreadAnswers } from '../../match/proposal'
import type { Service } from '../../node/service'

/**
 * Updates the number of accepted answers in every lobby of a proposed match. Does not change a lobby that already has the present number.
 */
export async function spreadProposal(ctx: Service, matchId: string): Promise<void> {
  await transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const match = await ctx.storage.get('match', matchId)
    if (match === undefined || !isProposed(match)) return { draft, answer: null }
    const accepted = acceptedOf(match)
    writeMatch(draft, match, spreadAnswers(match))
    for (const lobby of await ctx.storage.getMany('lobby', match.lobbyIds)) {
      writeLobby(draft, lobby, countAnswers(lobby, match.id, accepted))
    }
    return { draft, answer: null, isContended: true }
  })
}
