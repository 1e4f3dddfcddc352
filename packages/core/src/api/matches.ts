import type { InProject } from '../context/inputs'
import type { Match } from '../match/match'
import type { ServerSummary } from '../server/game-server'

/** Matches: lobbies that play together. */
export interface Matches {
  /** A match with its server's connection details. Throws MATCH_NOT_FOUND. */
  get(input: InProject & { readonly matchId: string }): Promise<{ match: Match; server: ServerSummary | null }>
}
