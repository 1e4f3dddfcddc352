import { z } from '@hono/zod-openapi'
import type { ErrorCode } from '@matchyard/core'
import { HTTP_ERRORS } from '../error-status'
import { component, described } from '../wire/codec/index'

export const problemSchema = component(
  z.object({
    type: described(z.string(), "Path of the code's page: `/errors/NOT_HOST`."),
    title: described(z.string(), 'Meaning of the code; always the same sentence.'),
    status: described(z.int(), 'HTTP status of the answer.'),
    code: described(z.enum(Object.keys(HTTP_ERRORS) as [ErrorCode, ...ErrorCode[]]), 'Error code, for programs.'),
    number: described(z.int(), 'Stable number of the code.'),
    detail: described(z.string(), 'Explanation for a developer; its wording may change.'),
    request_id: described(z.string(), 'Id of the request in the log of the service; also the header `x-request-id`.'),
    details: described(
      z.record(z.string(), z.unknown()),
      'Data that a client needs to act, depending on the code; often empty.',
    ),
  }),
  'Problem',
  'RFC 9457; `code` and `number` are the stable identity of an error.',
)
