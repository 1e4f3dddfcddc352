import { z } from '@hono/zod-openapi'
import type { ErrorCode, ErrorRetry } from '@matchyard/core'
import type { AnsweredBy, ErrorExample, ErrorPage, ErrorPages } from '../error-pages/error-pages'
import { RETRY_WORDS } from '../error-pages/retry-words'
import { HTTP_ERRORS } from '../error-status'
import { answerOf, given, listOf, NAMES_OF, orNull, plain, required, told } from './codec/index'
import { oneOf, string, whole } from './shared'

const code = oneOf(Object.keys(HTTP_ERRORS) as [ErrorCode, ...ErrorCode[]])
const headers = plain(z.record(z.string(), z.string()))

const row = {
  code: required(code, 'Stable code of the error.'),
  number: required(whole, 'Stable number of the error.'),
  status: required(whole, 'HTTP status of the answer.'),
  title: required(string, 'Meaning of the error, in one sentence.'),
}

const operation = answerOf<AnsweredBy>()({
  operation: required(string, 'Id of the operation in the OpenAPI document.'),
  method: told(string, ({ method }: AnsweredBy) => method.toUpperCase(), 'HTTP method, in capitals.'),
  path: required(string, 'Path template, as in the OpenAPI document.'),
})

const example = answerOf<ErrorExample>(NAMES_OF.errorExample)({
  method: required(string, 'Method of the request.'),
  path: required(string, 'Path of the request.'),
  sent: required(headers, 'Relevant headers of the request; secrets are cut off.'),
  body: given(plain(z.unknown()), 'Body of the request; absent without a body.'),
  headers: required(headers, 'Headers of the answer that tell the client what to do.'),
  answer: required(plain(z.record(z.string(), z.unknown())), 'The problem document.'),
})

export const errorPage = answerOf<ErrorPage>()(
  {
    ...row,
    happened: required(string, 'What happened, and its usual causes. Code is between backticks.'),
    mend: required(string, 'How to solve the problem.'),
    details: required(orNull(string), 'Content of `details`; null when it is empty.'),
    retry: required(
      oneOf(Object.keys(RETRY_WORDS) as [ErrorRetry, ...ErrorRetry[]]),
      'Result of the same request when it is sent again.',
    ),
    retryWords: told(string, ({ retry }: ErrorPage) => RETRY_WORDS[retry].long, 'The same, as a sentence.'),
    operations: required(listOf(operation), 'Operations that can return this error.'),
    also: required(orNull(string), 'Other places that return this error; null when there are none.'),
    near: required(listOf(code), 'Similar errors, and errors that often follow.'),
    example: required(orNull(example), 'A recorded answer; null for an error that is never sent as an answer.'),
  },
  'ErrorPage',
  'Full description of an error.',
)

const errorLine = answerOf<ErrorPage>()({
  ...row,
  page: told(string, ({ code }: ErrorPage) => `/errors/${code}`, "Path of the error's page."),
})

export const errorIndex = answerOf<ErrorPages>(NAMES_OF.errorIndex)(
  { all: required(listOf(errorLine), 'All errors, sorted by number.') },
  'ErrorIndex',
  'The catalogue of errors.',
)
