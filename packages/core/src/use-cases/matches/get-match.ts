import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import type { InProject } from '../../context/inputs'
import { noSuchMatch, requireMatch } from '../../context/require'
import { externalServerOf } from '../../match/external-server'
import type { Match } from '../../match/match'
import { isMade } from '../../match/proposal'
import { summaryOf } from '../../server/evolve'
import type { ServerSummary } from '../../server/game-server'

export interface GetMatchInput extends InProject {
  readonly matchId: string
  /** Whether the caller is the project's own backend, which the default is: players do not see who is proposed to them. */
  readonly backend?: boolean | undefined
}

/** A match with its server's connection details; one that is only proposed is for backends. Throws MATCH_NOT_FOUND. */
export function getMatch(ctx: Context, input: GetMatchInput): Promise<{ match: Match; server: ServerSummary | null }> {
  return unavailableInsteadOf(async () => {
    const match = await requireMatch(ctx, input.projectId, input.matchId)
    if (input.backend === false && !isMade(match)) noSuchMatch(match.id)
    if (match.serverId === null) return { match, server: externalServerOf(match) }
    const server = await ctx.storage.get('server', match.serverId)
    return { match, server: server === undefined ? null : summaryOf(server) }
  })
}
