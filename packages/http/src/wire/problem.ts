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
  type: required('type', string, "The rule's type."),
  field: required('field', string, 'The field of player states that it reads.'),
  rejected_share: required('rejectedShare', number, 'The share of parties that it refuses, from 0 to 1.'),
})

const details = answerOf<ProblemDetails>()({
  cause: given('cause', string, 'What led to it.'),
  version_tag: given('versionTag', string, 'The name of the build.'),
  build_id: given('buildId', string, 'The version of that build which ran, by its id.'),
  build_version: given('buildVersion', whole, 'The version of that build which ran.'),
  instance_ids: given('instanceIds', listOf(string), 'The servers that it is about.'),
  rule: given('rule', rule, 'The rule that keeps most apart.'),
  url: given('url', string, 'The address.'),
  limit: given('limit', string, 'Which limit of the plan.'),
  allowed: given('allowed', whole, 'So much the plan allows.'),
  used: given('used', whole, 'So much is used.'),
})

const subject = answerOf<ProjectProblem['subject']>()({
  kind: required('kind', oneOf(PROBLEM_SUBJECTS), 'Which kind of thing.'),
  id: required('id', string, 'Which one.'),
})

const problem = answerOf<ProjectProblem>()(
  {
    code: required('code', oneOf(PROBLEM_CODES), 'Which kind of problem it is; act on it.'),
    severity: required('severity', oneOf(PROBLEM_SEVERITIES), 'How grave it is.'),
    sentence: required('sentence', string, 'What is wrong, for people to read.'),
    subject: required('subject', subject, 'What it is about.'),
    since: required('since', instant, 'Since when.'),
    count: required('count', whole, 'How often.'),
    details: required('details', details, 'What a program needs to act.'),
  },
  'ProjectProblem',
  'Something that is wrong in a project, and what to do about it.',
)

export const problems = answerOf<{ readonly problems: readonly ProjectProblem[] }>()({
  problems: required('problems', listOf(problem), 'What is wrong now, the gravest first.'),
})
