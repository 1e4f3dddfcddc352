import type { z } from '@hono/zod-openapi'
import type { AnyAnswer, AnyBody, SentBy } from './codec'

/**
 * Whether a field must be sent, and whether answers contain it.
 * - `required`: must be sent, and answers contain it.
 * - `optional`: may be absent in the input, and answers always contain it, because the domain has a default.
 * - `given`: may be absent in the input, and answers contain it only if it was set.
 * - `defaulted`: may be absent in the input, and then has the default.
 */
export type Presence = 'required' | 'optional' | 'given' | 'defaulted'

/** A field of a body or an answer. Tables of fields list it under its name in the domain. */
export interface Field<C, P extends Presence> {
  readonly codec: C
  readonly presence: P
  readonly fallback?: unknown
  /** Default value of the domain, which the reference shows. */
  readonly unlessSaid?: unknown
  /** Description for the reference. */
  readonly words?: string | undefined
}

/** A field that only answers have. Its value is computed from the whole domain value. */
export interface Told<Whole> {
  readonly codec: AnyAnswer
  readonly read: (whole: Whole) => unknown
  readonly words?: string | undefined
}

const fieldOf =
  <const P extends Presence>(presence: P) =>
  <C>(codec: C, words?: string): Field<C, P> => ({ codec, presence, words })

export const required = fieldOf('required')
export const optional = fieldOf('optional')
export const given = fieldOf('given')

export const defaulted = <C extends AnyBody>(codec: C, fallback: SentBy<C>, words?: string): Field<C, 'defaulted'> => ({
  codec,
  presence: 'defaulted',
  fallback,
  words,
})

export const told = <Whole, Domain>(
  codec: Telling<Domain>,
  read: (whole: Whole) => Domain,
  words?: string,
): Told<Whole> => ({ codec, read, words })

/** Returns the fields with the domain's defaults, for the reference. A default of null is not shown. */
export const withDefaults = <F extends BodyFields>(fields: F, defaults: Readonly<Record<string, unknown>>): F =>
  Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, { ...field, unlessSaid: defaults[key] ?? undefined }]),
  ) as F

/** Fields of a body, by their names in the domain. */
export type BodyFields = Readonly<Record<string, Field<AnyBody, Presence>>>

/** Fields of an answer. Each is a field of the value with a codec for its type, or is computed from the whole value. */
export type AnswerFields<Whole, F> = {
  readonly [Key in keyof F]: Told<Whole> | (Key extends keyof Whole ? FieldOf<Whole[Key]> : never)
}

type FieldOf<Value> = Field<Telling<Value>, Exclude<Presence, 'given'>> | Field<Telling<NonNullable<Value>>, 'given'>

interface Telling<Value> {
  readonly answer: z.ZodType
  readonly encode: (value: Value) => unknown
}
