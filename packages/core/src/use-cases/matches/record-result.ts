import type { CallOptions } from '../../commit/call-options'
import { unavailableInsteadOf } from '../../commit/transact'
import { orThrow, validationFailed } from '../../errors/service-error'
import type { Ending } from '../../lobby/last-exit'
import { decideRecordResult } from '../../match/record-result'
import { outcomeOf, type ResultAuthor, type ResultReport } from '../../match/result'
import { reportFaults } from '../../match/result-faults'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import { matchOfSelf } from '../../reads/require-self'
import type { MatchOnServer } from '../../reads/with-servers'
import type { SelfCall } from '../../server/self-call'
import { BACKEND_ENDED, changeMatch } from './change-match'

/** Result of a match, as a backend or a game server sends it. */
export interface ResultWish extends ResultReport {
  /** Whether the match ends in the same commit. Default: false. */
  readonly end?: boolean | undefined
  /** Whether the result replaces a recorded one. Default: false. */
  readonly amend?: boolean | undefined
}

export interface RecordResultInput extends InProject, ResultWish {
  /** Id of the match: `mat_` and a ULID. */
  readonly matchId: string
}

export interface SelfResultInput extends SelfCall, ResultWish {}

const SERVER_ENDED: Ending = { reason: 'match_ended', detail: 'the game server ended the match with its result' }

export async function recordResult(ctx: Service, input: RecordResultInput, call?: CallOptions): Promise<MatchOnServer> {
  requireReport(input)
  return resultOf(ctx, input, 'backend', call)
}

export async function selfResult(ctx: Service, input: SelfResultInput, call?: CallOptions): Promise<MatchOnServer> {
  requireReport(input)
  const { instanceId: _, attempt: __, ...wish } = input
  const target = await unavailableInsteadOf(() => matchOfSelf(ctx, input))
  return resultOf(ctx, { ...wish, ...target }, 'server', call)
}

function requireReport(report: ResultReport): void {
  const issues = reportFaults(report)
  if (issues.length > 0) throw validationFailed(issues)
}

function resultOf(
  ctx: Service,
  input: RecordResultInput,
  by: ResultAuthor,
  call: CallOptions | undefined,
): Promise<MatchOnServer> {
  const { projectId, matchId, end = false, amend = false } = input
  return changeMatch(ctx, { projectId, matchId }, call, (match, at) => ({
    events: orThrow(decideRecordResult(match, { outcome: outcomeOf(input), by, amend, at })),
    ...(end ? { ending: by === 'server' ? SERVER_ENDED : BACKEND_ENDED } : {}),
  }))
}
