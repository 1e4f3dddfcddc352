import {
  PROBLEM_CODES,
  PROBLEM_SEVERITIES,
  PROBLEM_SUBJECTS,
  type ProblemDetails,
  type ProjectProblem,
} from '@matchyard/core'
import { answerOf, given, instant, listOf, required } from './codec/index'
import { number, oneOf, string, whole } from './shared'

const rule = answerOf<NonNullable<ProblemDetails['rule']>>()({
  type: required(string, "The rule's type."),
  field: required(string, 'The field of player states that it reads.'),
  rejectedShare: required(number, 'The share of parties that it refuses, from 0 to 1.'),
})

const details = answerOf<ProblemDetails>()({
  cause: given(string, 'What led to it.'),
  versionTag: given(string, 'The name of the build.'),
  buildId: given(string, 'The version of that build which ran, by its id.'),
  buildVersion: given(whole, 'The version of that build which ran.'),
  instanceIds: given(listOf(string), 'The servers that it is about.'),
  rule: given(rule, 'The rule that keeps most apart.'),
  url: given(string, 'The address.'),
  limit: given(string, 'Which limit of the plan.'),
  allowed: given(whole, 'So much the plan allows.'),
  used: given(whole, 'So much is used.'),
})

const subject = answerOf<ProjectProblem['subject']>()({
  kind: required(oneOf(PROBLEM_SUBJECTS), 'Which kind of thing.'),
  id: required(string, 'Which one.'),
})

const problem = answerOf<ProjectProblem>()(
  {
    code: required(oneOf(PROBLEM_CODES), 'Which kind of problem it is; act on it.'),
    severity: required(oneOf(PROBLEM_SEVERITIES), 'How grave it is.'),
    sentence: required(string, 'What is wrong, for people to read.'),
    subject: required(subject, 'What it is about.'),
    since: required(instant, 'Since when.'),
    count: required(whole, 'How often.'),
    details: required(details, 'What a program needs to act.'),
  },
  'ProjectProblem',
  'Something that is wrong in a project, and what to do about it.',
)

export const problems = answerOf<{ readonly problems: readonly ProjectProblem[] }>()({
  problems: required(listOf(problem), 'What is wrong now, the gravest first.'),
})
