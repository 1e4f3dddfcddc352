import type { CallOptions } from '../../commit/call-options'
import { orThrow, validationFailed } from '../../errors/service-error'
import { wasMade } from '../../match/decide'
import type { Match } from '../../match/match'
import { decideRecordResult } from '../../match/record-result'
import { outcomeOf, type ResultReport } from '../../match/result'
import { reportFaults, unknownReportFields } from '../../match/result-faults'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import type { MatchOnServer } from '../../reads/with-servers'
import type { Instant } from '../../shared/time'
import { BACKEND_ENDED, changeMatch } from './change-match'

export interface EndWithResultInput extends InProject {
  /** Id of the match: `mat_` and a ULID. */
  readonly matchId: string
  /** Result of the match. Absent: the match ends without a result. */
  readonly result?: ResultReport | undefined
}

export async function endWithResult(
  ctx: Service,
  input: EndWithResultInput,
  call?: CallOptions,
): Promise<MatchOnServer> {
  const { result } = input
  const issues =
    result === undefined ? [] : [...unknownReportFields(result, 'result.'), ...reportFaults(result, 'result.')]
  if (issues.length > 0) throw validationFailed(issues)
  return changeMatch(ctx, input, call, (match, at) => {
    orThrow(wasMade(match))
    return { events: result === undefined ? [] : recorded(match, result, at), ending: BACKEND_ENDED }
  })
}

const recorded = (match: Match, result: ResultReport, at: Instant) =>
  orThrow(decideRecordResult(match, { outcome: outcomeOf(result), by: 'backend', amend: false, at, under: 'result.' }))
