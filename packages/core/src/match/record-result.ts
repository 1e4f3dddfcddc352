import { accept, type Decision, reject, rejectInvalid } from '../errors/decision'
import { type JsonValue, jsonEqual } from '../shared/json'
import { DAY_MS, type Instant } from '../shared/time'
import type { MatchEvent } from './events'
import type { Match } from './match'
import type { ReportedResult, ResultAuthor } from './result'
import { rosterFaults } from './result-faults'

/** Milliseconds after the end of a match during which its first result is recorded. */
const RESULT_AWAITED_MS = DAY_MS
/** Milliseconds after the first result of a match during which a backend may amend it. */
const RESULT_AMENDED_MS = 7 * DAY_MS

export interface RecordResult {
  readonly outcome: ReportedResult
  readonly by: ResultAuthor
  /** Whether another result replaces the recorded one. */
  readonly amend: boolean
  /** Path of the result in the call, before the paths of its faults; absent: the result is the call. */
  readonly under?: string
  readonly at: Instant
}

/**
 * Records the result of a match, or replaces it. The same result again changes nothing. Rejects with RESULT_EXISTS, INVALID_MATCH_STATE, and
 * with VALIDATION_FAILED when the result does not fit the teams and players of the match.
 */
export function decideRecordResult(match: Match, wish: RecordResult): Decision<MatchEvent> {
  const { result: recorded } = match
  const { outcome, by, at } = wish
  if (recorded !== undefined && sameOutcome(recorded, outcome)) return accept()
  const allowed = recorded === undefined ? mayRecord(match, at) : mayAmend(match, recorded.recordedAt, wish)
  if (!allowed.ok) return allowed
  const issues = rosterFaults(match, outcome, wish.under)
  if (issues.length > 0) return rejectInvalid(issues)
  const { recordedAt = at } = recorded ?? {}
  const result = { ...outcome, recordedBy: by, recordedAt, amendedAt: recorded === undefined ? null : at }
  return accept({ type: 'match_resulted', result })
}

/** Whether two outcomes are equal. The order of teams and players does not matter. */
export function sameOutcome(a: ReportedResult, b: ReportedResult): boolean {
  return jsonEqual(inOrder(a), inOrder(b))
}

const inOrder = ({ teams, players, completed }: ReportedResult): JsonValue => ({
  teams: Object.fromEntries(teams.map((team) => [team.name, { ...team }])),
  players: players
    .map(({ stats = {}, ...player }) => ({ ...player, stats }))
    .sort((a, b) => (a.playerId < b.playerId ? -1 : 1)),
  completed,
})

function mayRecord(match: Match, at: Instant): Decision<never> {
  const not = (why: string) => reject('INVALID_MATCH_STATE', `${match.id} ${why}`, { status: match.status })
  if (match.startedAt === undefined) {
    return not(match.endedAt === null ? `is ${match.status}: it has not begun yet` : 'ended before it began')
  }
  if (match.endedAt === null || at <= match.endedAt + RESULT_AWAITED_MS) return accept()
  return not('ended more than 24 hours ago; a result is recorded until then')
}

function mayAmend({ id }: Match, recordedAt: Instant, { by, amend, at }: RecordResult): Decision<never> {
  const not = (why: string) => reject('RESULT_EXISTS', `${id} already has another result${why}`)
  if (by === 'server') return not('; only a backend can amend it')
  if (!amend) return not('; send amend: true to replace it')
  return at <= recordedAt + RESULT_AMENDED_MS ? accept() : not(', recorded more than 7 days ago; it is final')
}
