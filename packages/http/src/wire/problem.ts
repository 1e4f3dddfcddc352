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
  type: required('type', string),
  field: required('field', string),
  rejected_share: required('rejectedShare', number),
})

const details = answerOf<ProblemDetails>()({
  cause: given('cause', string),
  version_tag: given('versionTag', string),
  instance_ids: given('instanceIds', listOf(string)),
  rule: given('rule', rule),
  url: given('url', string),
  limit: given('limit', string),
  allowed: given('allowed', whole),
  used: given('used', whole),
})

const subject = answerOf<ProjectProblem['subject']>()({
  kind: required('kind', oneOf(PROBLEM_SUBJECTS)),
  id: required('id', string),
})

const problem = answerOf<ProjectProblem>()(
  {
    code: required('code', oneOf(PROBLEM_CODES)),
    severity: required('severity', oneOf(PROBLEM_SEVERITIES)),
    sentence: required('sentence', string),
    subject: required('subject', subject),
    since: required('since', instant),
    count: required('count', whole),
    details: required('details', details),
  },
  'ProjectProblem',
)

export const problems = answerOf<{ readonly problems: readonly ProjectProblem[] }>()({
  problems: required('problems', listOf(problem)),
})
