import {
  CRASH_TRENDS,
  type CrashWave,
  PROBLEM_CODES,
  PROBLEM_SEVERITIES,
  PROBLEM_SUBJECTS,
  type ProblemDetails,
  type ProjectProblem,
} from '@matchyard/core'
import { answerOf, given, instant, listOf, nullable, required } from './codec/index'
import { flag, number, oneOf, region, sentence, string, whole } from './shared'

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
})

const subject = answerOf<ProjectProblem['subject']>()({
  kind: required(oneOf(PROBLEM_SUBJECTS), 'Kind of the affected resource.'),
  id: required(string, 'Id of the affected resource.'),
})

const problem = answerOf<ProjectProblem>()(
  {
    code: required(oneOf(PROBLEM_CODES), 'Code of the problem, for programs.'),
    severity: required(oneOf(PROBLEM_SEVERITIES), 'Severity.'),
    sentence: required(sentence, 'Description of the problem.'),
    subject: required(subject, 'Affected resource.'),
    since: required(instant, 'Time since which the problem exists.'),
    count: required(whole, 'Number of occurrences.'),
    details: required(details, 'Data for programs.'),
  },
  'ProjectProblem',
  'A problem of a project, with its solution.',
)

export const problems = answerOf<{ readonly problems: readonly ProjectProblem[] }>()({
  problems: required(listOf(problem), 'Current problems, the most severe first.'),
})
