import type { CallOptions } from '../context/context'
import type { InProject } from '../context/inputs'
import type { Match } from '../match/match'
import type { ServerSummary } from '../server/game-server'
import type { AssignedServer, AssignServerInput } from '../use-cases/matches/assign-server'

/** Matches: lobbies that play together. */
export interface Matches {
  /**
   * Tells where a match is played whose queue has `source: 'external'`: its lobbies enter the game, or all of them show the new
   * address, in one commit. The same again changes nothing. Throws VALIDATION_FAILED, MATCH_NOT_FOUND, INVALID_MATCH_STATE.
   */
  assign(input: AssignServerInput, call?: CallOptions): Promise<AssignedServer>

  /** A match with its server's connection details. Throws MATCH_NOT_FOUND. */
  get(input: InProject & { readonly matchId: string }): Promise<{ match: Match; server: ServerSummary | null }>
}
