import { z } from '@hono/zod-openapi'
import type { ErrorCode } from '@matchyard/core'
import { HTTP_ERRORS } from '../error-status'
import { component, described } from '../wire/codec/index'

export const problemSchema = component(
  z.object({
    type: described(z.string(), 'The page of the code: `/errors/NOT_HOST`.'),
    title: described(z.string(), 'What the code means, in a sentence that is always the same.'),
    status: described(z.int(), 'The status of the answer.'),
    code: described(z.enum(Object.keys(HTTP_ERRORS) as [ErrorCode, ...ErrorCode[]]), 'What was refused; act on it.'),
    number: described(z.int(), 'The number of the code, which is as stable.'),
    detail: described(z.string(), 'What happened, in a sentence for a developer; its wording may change.'),
    request_id: described(z.string(), 'Finds the request in the log of the service; `x-request-id` of the answer.'),
    details: described(z.record(z.string(), z.unknown()), 'What a client needs to act, by the code; often empty.'),
  }),
  'Problem',
  'RFC 9457; `code` and `number` are the stable identity of an error.',
)
