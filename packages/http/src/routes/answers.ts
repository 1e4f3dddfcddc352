import type { z } from '@hono/zod-openapi'
import type { Success } from '../endpoint'
import type { AnswerCodec, AnyAnswer } from '../wire/codec/index'
import { pageOf } from '../wire/shared'

export const created = <Answer extends AnyAnswer>(answer: Answer): Success<Answer> => ({
  status: 201,
  description: 'Created.',
  answer,
})
export const ok = <Answer extends AnyAnswer>(answer: Answer): Success<Answer> => ({
  status: 200,
  description: 'OK.',
  answer,
})
/** Returns a success whose body is a page of a list, in its envelope. */
export const page = <T, Answer extends z.ZodType>(item: AnswerCodec<T, Answer>) => ({
  ...ok(pageOf(item)),
  isPage: true as const,
})
/** Success without a body. */
type Bodiless = Success<{ readonly answer: never; readonly encode: (value: unknown) => unknown }>

export const NO_CONTENT: Bodiless = {
  status: 204,
  description: 'Done.',
}

export const ACCEPTED: Bodiless = {
  status: 202,
  description: 'The removal was accepted and runs in the background.',
}
