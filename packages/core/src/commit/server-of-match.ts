import { externalServerOf } from '../match/external-server'
import type { Match } from '../match/match'
import type { Ports } from '../ports/ports'
import { summaryOf } from '../server/evolve'
import type { ServerSummary } from '../server/game-server'
import type { Draft } from './draft'

/**
 * Returns the summary of a match's server in its state after this commit: of a launched server, or of a server that the studio assigned.
 * Returns null for a match without a server.
 */
export async function serverOfMatch(ctx: Ports, draft: Draft, match: Match): Promise<ServerSummary | null> {
  if (match.serverId === null) return externalServerOf(match)
  const server = draft.written('server', match.serverId) ?? (await ctx.storage.get('server', match.serverId))
  return server === undefined ? null : summaryOf(server)
}
