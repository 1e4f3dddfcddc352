import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import type { InProject } from '../../context/inputs'
import { requireMatch } from '../../context/require'
import { externalServerOf } from '../../match/external-server'
import type { Match } from '../../match/match'
import { summaryOf } from '../../server/evolve'
import type { ServerSummary } from '../../server/game-server'

/** A match with its server's connection details. Throws MATCH_NOT_FOUND. */
export function getMatch(
  ctx: Context,
  input: InProject & { readonly matchId: string },
): Promise<{ match: Match; server: ServerSummary | null }> {
  return unavailableInsteadOf(async () => {
    const match = await requireMatch(ctx, input.projectId, input.matchId)
    if (match.serverId === null) return { match, server: externalServerOf(match) }
    const server = await ctx.storage.get('server', match.serverId)
    return { match, server: server === undefined ? null : summaryOf(server) }
  })
}
