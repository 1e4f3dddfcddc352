import { z } from '@hono/zod-openapi'
import type { ErrorCode, ErrorRetry } from '@matchyard/core'
import type { ErrorPage, ErrorPages } from '../error-pages/error-pages'
import { RETRY_WORDS } from '../error-pages/retry-words'
import { HTTP_ERRORS } from '../error-status'
import { component, described, plain } from './codec/index'

const codes = Object.keys(HTTP_ERRORS) as [ErrorCode, ...ErrorCode[]]
const retries = Object.keys(RETRY_WORDS) as [ErrorRetry, ...ErrorRetry[]]

const row = {
  code: described(z.enum(codes), 'The stable identity of the error.'),
  number: described(z.int(), 'Its number, which is as stable.'),
  status: described(z.int(), 'The status under which it is answered.'),
  title: described(z.string(), 'What it means, in a sentence.'),
}

const operation = z.object({
  operation: described(z.string(), 'Its id in the OpenAPI document.'),
  method: described(z.string(), 'In capitals.'),
  path: described(z.string(), 'As the document writes it.'),
})

const example = z.object({
  method: described(z.string(), 'Of the request.'),
  path: described(z.string(), 'Of the request.'),
  sent_headers: described(z.record(z.string(), z.string()), 'Of the request, what mattered; secrets are cut off.'),
  body: z.unknown().optional().openapi({ description: 'Of the request; absent where there was none.' }),
  headers: described(z.record(z.string(), z.string()), 'Those of the answer that say what to do.'),
  answer: described(z.record(z.string(), z.unknown()), 'The problem document.'),
})

export const errorPageAnswer = plain(
  component(
    z.object({
      ...row,
      happened: described(z.string(), 'What happened, and how one comes to it. Code stands between backticks.'),
      mend: described(z.string(), 'What to do about it.'),
      details: described(z.string().nullable(), 'What `details` holds; null where it is empty.'),
      retry: described(z.enum(retries), 'What becomes of the same request sent again.'),
      retry_words: described(z.string(), 'The same in a sentence.'),
      operations: described(z.array(operation), 'The operations that may be refused so.'),
      also: described(z.string().nullable(), 'Where it is met beside them; null where nowhere.'),
      near: described(z.array(z.enum(codes)), 'What it is taken for, or what comes next.'),
      example: described(example.nullable(), 'It as it was answered once; null of what is no answer.'),
    }),
    'ErrorPage',
    'All that is said of an error.',
  ),
)

export const errorIndexAnswer = plain(
  component(
    z.object({
      errors: described(
        z.array(z.object({ ...row, page: described(z.string(), 'The path of its page.') })),
        'Every error, by its number.',
      ),
    }),
    'ErrorIndex',
    'Every error that the service answers.',
  ),
)

const rowOf = ({ code, number, status, title }: ErrorPage) => ({ code, number, status, title })

/** A page as the wire spells it. */
export const toldPage = (page: ErrorPage): z.infer<typeof errorPageAnswer.answer> => ({
  ...rowOf(page),
  happened: page.happened,
  mend: page.mend,
  details: page.details ?? null,
  retry: page.retry,
  retry_words: RETRY_WORDS[page.retry].long,
  operations: page.operations.map(({ operation: id, method, path }) => ({
    operation: id,
    method: method.toUpperCase(),
    path,
  })),
  also: page.also ?? null,
  near: [...page.near],
  example: page.example === undefined ? null : toldExample(page.example),
})

const toldExample = ({ method, path, sent, body, headers, answer }: NonNullable<ErrorPage['example']>) => ({
  method,
  path,
  sent_headers: sent,
  ...(body === undefined ? {} : { body }),
  headers,
  answer,
})

export const toldIndex = ({ all }: ErrorPages): z.infer<typeof errorIndexAnswer.answer> => ({
  errors: all.map((page) => ({ ...rowOf(page), page: `/errors/${page.code}` })),
})
