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
  code: required(code, 'The stable identity of the error.'),
  number: required(whole, 'Its number, which is as stable.'),
  status: required(whole, 'The status under which it is answered.'),
  title: required(string, 'What it means, in a sentence.'),
}

const operation = answerOf<AnsweredBy>()({
  operation: required(string, 'Its id in the OpenAPI document.'),
  method: told(string, ({ method }: AnsweredBy) => method.toUpperCase(), 'In capitals.'),
  path: required(string, 'As the document writes it.'),
})

const example = answerOf<ErrorExample>(NAMES_OF.errorExample)({
  method: required(string, 'Of the request.'),
  path: required(string, 'Of the request.'),
  sent: required(headers, 'Of the request, what mattered; secrets are cut off.'),
  body: given(plain(z.unknown()), 'Of the request; absent where there was none.'),
  headers: required(headers, 'Those of the answer that say what to do.'),
  answer: required(plain(z.record(z.string(), z.unknown())), 'The problem document.'),
})

export const errorPage = answerOf<ErrorPage>()(
  {
    ...row,
    happened: required(string, 'What happened, and how one comes to it. Code stands between backticks.'),
    mend: required(string, 'What to do about it.'),
    details: required(orNull(string), 'What `details` holds; null where it is empty.'),
    retry: required(
      oneOf(Object.keys(RETRY_WORDS) as [ErrorRetry, ...ErrorRetry[]]),
      'What becomes of the same request sent again.',
    ),
    retryWords: told(string, ({ retry }: ErrorPage) => RETRY_WORDS[retry].long, 'The same in a sentence.'),
    operations: required(listOf(operation), 'The operations that may be refused so.'),
    also: required(orNull(string), 'Where it is met beside them; null where nowhere.'),
    near: required(listOf(code), 'What it is taken for, or what comes next.'),
    example: required(orNull(example), 'It as it was answered once; null of what is no answer.'),
  },
  'ErrorPage',
  'All that is said of an error.',
)

const errorLine = answerOf<ErrorPage>()({
  ...row,
  page: told(string, ({ code }: ErrorPage) => `/errors/${code}`, 'The path of its page.'),
})

export const errorIndex = answerOf<ErrorPages>(NAMES_OF.errorIndex)(
  { all: required(listOf(errorLine), 'Every error, by its number.') },
  'ErrorIndex',
  'Every error that the service answers.',
)
