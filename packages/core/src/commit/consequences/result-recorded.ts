import type { Match } from '../../match/match'
import type { MatchResult } from '../../match/result'
import type { Ports } from '../../ports/ports'
import type { Draft } from '../draft'

/** Recorded result of a match, first or amended. */
export interface RecordedResult {
  /** The match before the commit. */
  readonly before: Match
  /** The match after the commit, which may end it too. */
  readonly after: Match
  /** Result that is replaced; undefined for the first result. */
  readonly old: MatchResult | undefined
  readonly result: MatchResult
}

/**
 * Adds the effects of a recorded result on other aggregates to the commit of the result. Runs once for each result that was recorded or
 * amended, and not for a repeated one. No aggregate depends on results yet.
 */
export async function resultRecorded(_ctx: Ports, _draft: Draft, _recorded: RecordedResult): Promise<void> {}
