import type { CallOptions } from '../context/context'
import type { InProject } from '../context/inputs'
import type { MatchOnServer } from '../context/with-servers'
import type { Stretch } from '../shared/place'
import type { AssignedServer, AssignServerInput } from '../use-cases/matches/assign-server'
import type { Backfill, BackfillInput } from '../use-cases/matches/backfill'
import type { GetMatchInput } from '../use-cases/matches/get-match'
import type { IssueJoinTokenInput, JoinToken } from '../use-cases/matches/issue-join-token'
import type { ListMatchesInput } from '../use-cases/matches/list-matches'

/** Matches: lobbies that play together. */
export interface Matches {
  /**
   * Tells where a match is played whose queue has `source: 'external'`: its lobbies enter the game, or all of them show the new
   * address, in one commit. The same again changes nothing. Throws VALIDATION_FAILED, MATCH_NOT_FOUND, INVALID_MATCH_STATE.
   */
  assign(input: AssignServerInput, call?: CallOptions): Promise<AssignedServer>

  /**
   * Asks for newcomers for open seats of a running match, in place of what it asked for before, with the age of that. Left out, `teams`
   * is every open seat. `players` brings up to date by which states rules judge those who play. Throws VALIDATION_FAILED (more
   * seats than are open), MATCH_NOT_FOUND, INVALID_MATCH_STATE, MATCHMAKING_NOT_CONFIGURED.
   */
  backfill(input: BackfillInput, call?: CallOptions): Promise<Backfill>

  /** What a match asks for now; filled, it asks for nobody. Throws MATCH_NOT_FOUND, BACKFILL_NOT_FOUND. */
  getBackfill(input: InProject & { readonly matchId: string }): Promise<Backfill>

  /** The match asks for nobody any more. Throws MATCH_NOT_FOUND, BACKFILL_NOT_FOUND. */
  cancelBackfill(input: InProject & { readonly matchId: string }, call?: CallOptions): Promise<void>

  /** A match with its server's connection details; one that is only proposed is for backends. Throws MATCH_NOT_FOUND. */
  get(input: GetMatchInput): Promise<MatchOnServer>

  /**
   * A project's matches, newest first, from a cursor on, those that are proposed and over too. What it costs grows with what is told.
   * An answer may hold fewer than `limit` where matches are large; `nextCursor` says whether there are more. Throws VALIDATION_FAILED.
   */
  list(input: ListMatchesInput): Promise<Stretch<MatchOnServer>>

  /**
   * A token by which a player of the match is let in by its game server, which verifies it offline; good for five minutes. Throws
   * MATCH_NOT_FOUND, also for who is not in the match, INVALID_MATCH_STATE.
   */
  joinToken(input: IssueJoinTokenInput, call?: CallOptions): Promise<JoinToken>
}
