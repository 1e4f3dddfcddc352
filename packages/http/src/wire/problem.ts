import {
  CRASH_TRENDS,
  type CrashWave,
  type KeptProblem,
  type ListedProblem,
  PROBLEM_CODES,
  PROBLEM_SEVERITIES,
  PROBLEM_SUBJECTS,
  type ProblemAcknowledgement,
  type ProblemDetails,
  type ProblemMute,
  type ProjectProblem,
} from '@matchyard/core'
import { PROBLEM_MUTE_MINUTES, PROBLEM_NOTE_LENGTH, PROBLEM_REASON_LENGTH } from '@matchyard/core/domain'
import { actor } from './actor'
import { budgetFigures } from './budget'
import { answerOf, bodyOf, given, instant, listOf, nullable, optional, orNull, plain, required } from './codec/index'
import { dateTime } from './query'
import { flag, nameText, number, oneOf, region, sentence, string, text, whole, wholeIn } from './shared'

const rule = answerOf<NonNullable<ProblemDetails['rule']>>()({
  type: required(string, 'Type of the rule.'),
  field: required(nullable(string), "Field in the players' states; null for a rule that reads none."),
  rejectedShare: required(number, 'Share of parties that the rule refuses, from 0 to 1.'),
})

const wave = answerOf<CrashWave>()({
  crashed: required(whole, 'Number of servers that crashed.'),
  ended: required(
    whole,
    'Number of servers among which they are counted: those of the build that ended last, at most 50.',
  ),
  isOfMatches: required(flag, 'Whether each of these servers had a match.'),
  firstAt: required(instant, 'Time of the first of these crashes.'),
  trend: required(
    oneOf(CRASH_TRENDS),
    'Trend of the share of crashes, from the older half of these servers to the newer half.',
  ),
})

const details = answerOf<ProblemDetails>()({
  cause: given(sentence, 'Examples of the cause.'),
  versionTag: given(string, 'The name of the build.'),
  buildId: given(string, 'Id of the build that ran.'),
  buildVersion: given(whole, 'Version of the build that ran.'),
  instanceIds: given(listOf(string), 'Affected servers.'),
  wave: given(wave, 'Share of crashes of the build, when at least half of its last servers crashed.'),
  rule: given(rule, 'Rule that refuses the most parties.'),
  region: given(region, 'Region that no machine serves.'),
  url: given(string, 'The address.'),
  limit: given(string, 'Limit of the plan.'),
  allowed: given(whole, 'Value that the plan allows.'),
  used: given(whole, 'Value that is used.'),
  budget: given(budgetFigures, 'Budget, cost and forecast of the month.'),
})

const subject = answerOf<ProjectProblem['subject']>()({
  kind: required(oneOf(PROBLEM_SUBJECTS), 'Kind of the affected resource.'),
  id: required(string, 'Id of the affected resource.'),
})

const acknowledgement = answerOf<ProblemAcknowledgement>()({
  by: required(actor, 'Author of the note.'),
  at: required(instant, 'Time of the note.'),
  note: required(nullable(string), 'The note; null without one.'),
})

const mute = answerOf<ProblemMute>()({
  by: required(actor, 'Author of the mute.'),
  until: required(instant, 'End of the mute.'),
  reason: required(nullable(string), 'The reason; null without one.'),
})

const ID_WORDS =
  'Id, by which the problem is acknowledged and muted. Problems with equal code, subject and build share it.'

/** Codec of a problem as the service keeps it, in messages and in the answers of changes. */
export const keptProblem = answerOf<KeptProblem>()(
  {
    id: required(string, ID_WORDS),
    code: required(oneOf(PROBLEM_CODES), 'Code of the problem, for programs.'),
    severity: required(oneOf(PROBLEM_SEVERITIES), 'Severity.'),
    sentence: required(sentence, 'Description of the problem.'),
    subject: required(subject, 'Affected resource.'),
    count: required(whole, 'Number of occurrences.'),
    details: required(details, 'Data for programs: the build.'),
    openedAt: required(instant, 'Time at which the service opened the problem.'),
    closedAt: required(nullable(instant), 'Time at which the problem was closed; null while it is open.'),
    acknowledged: required(orNull(acknowledgement), 'Acknowledgement; null without one.'),
    muted: required(orNull(mute), 'Mute; null without one.'),
  },
  'KeptProblem',
  'A problem of a project, from its opening to its end.',
)

export const acknowledgedProblem = bodyOf({
  note: optional(plain(text(PROBLEM_NOTE_LENGTH).body.nullable()), 'Note for others; null by default.'),
})

export const mutedProblem = bodyOf({
  minutes: optional(wholeIn(PROBLEM_MUTE_MINUTES), 'Minutes for which the problem is muted; 0 ends a mute.'),
  until: optional(dateTime, 'End of the mute, in place of `minutes`.'),
  reason: optional(plain(nameText(PROBLEM_REASON_LENGTH).body.nullable()), 'Reason; null by default.'),
})

const problem = answerOf<ListedProblem>()(
  {
    id: required(string, ID_WORDS),
    code: required(oneOf(PROBLEM_CODES), 'Code of the problem, for programs.'),
    severity: required(oneOf(PROBLEM_SEVERITIES), 'Severity.'),
    sentence: required(sentence, 'Description of the problem.'),
    subject: required(subject, 'Affected resource.'),
    openedAt: required(
      nullable(instant),
      'Time at which the service opened the problem; null for a problem that it has not kept yet, for at most a minute.',
    ),
    acknowledged: required(nullable(acknowledgement), 'Acknowledgement; null without one.'),
    muted: required(nullable(mute), 'Mute that is in force; null without one.'),
    since: required(instant, 'Time since which the problem exists.'),
    count: required(whole, 'Number of occurrences.'),
    details: required(details, 'Data for programs.'),
  },
  'ProjectProblem',
  'A problem of a project, with its solution.',
)

export const problems = answerOf<{ readonly problems: readonly ListedProblem[] }>()({
  problems: required(listOf(problem), 'Current problems, the most severe first, muted ones last.'),
})
