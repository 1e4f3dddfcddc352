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
/** An answer without a body. */
type Bodiless = Success<{ readonly answer: never; readonly encode: (value: unknown) => unknown }>

export const NO_CONTENT: Bodiless = {
  status: 204,
  description: 'Done.',
}

export const ACCEPTED: Bodiless = {
  status: 202,
  description: 'It is being done.',
}
