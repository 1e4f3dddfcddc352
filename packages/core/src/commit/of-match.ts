import type { MatchEvent } from '../match/events'
import type { Match } from '../match/match'
import type { InProject } from '../project/in-project'
import { requireMatch } from '../reads/require'
import type { Aggregate } from './aggregate'
import { writeMatch } from './rows/match'

/** Input of a call about one match. */
export interface OnMatch extends InProject {
  /** Id of the match: `mat_` and a ULID. */
  readonly matchId: string
}

/**
 * Functions that read and change a match. A change writes the match's row, and the row of its backfill request. They throw MATCH_NOT_FOUND.
 */
export const ofMatch: Aggregate<Match, MatchEvent, OnMatch> = {
  turn: ({ matchId }) => matchId,
  read: (ctx, { projectId, matchId }) => requireMatch(ctx, projectId, matchId),
  write: writeMatch,
}
