import { externalServerOf } from '../match/external-server'
import type { Match } from '../match/match'
import type { Ports } from '../ports/ports'
import { summaryOf } from '../server/evolve'
import type { ServerSummary } from '../server/game-server'

/** A match together with the summary of its server, which is null for a match without a server. */
export interface MatchOnServer {
  /** The match. */
  readonly match: Match
  /** Server of the match; null without one. */
  readonly server: ServerSummary | null
}

/** Returns matches with their servers. One call of the storage reads all servers. */
export async function withServers(ctx: Ports, matches: readonly Match[]): Promise<MatchOnServer[]> {
  const ids = matches.flatMap(({ serverId }) => (serverId === null ? [] : [serverId]))
  const servers = ids.length === 0 ? [] : await ctx.storage.getMany('server', ids)
  const summaries = new Map(servers.map((server) => [server.id, summaryOf(server)]))
  return matches.map((match) => ({
    match,
    server: match.serverId === null ? externalServerOf(match) : (summaries.get(match.serverId) ?? null),
  }))
}
