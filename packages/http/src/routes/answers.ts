import type { Success } from '../endpoint'
import type { AnyAnswer } from '../wire/codec/index'

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
export const NO_CONTENT: Success<{ readonly answer: never; readonly encode: (value: unknown) => unknown }> = {
  status: 204,
  description: 'Done.',
}
