import type { z } from '@hono/zod-openapi'
import type { AnyAnswer, AnyBody, SentBy } from './codec'

/**
 * Whether a field must be sent, and whether it is told:
 * `required` is both; `optional` may be left out and is told all the same, because the domain has a default; `given` is told only
 * where it was set; `defaulted` may be left out and is then the default.
 */
export type Presence = 'required' | 'optional' | 'given' | 'defaulted'

/** One field under its name on the wire: what it is called in the domain, and its codec. */
export interface Field<Key extends string, C, P extends Presence> {
  readonly key: Key
  readonly codec: C
  readonly presence: P
  readonly fallback?: unknown
  /** What the domain takes where nothing is said, for the reference. */
  readonly unlessSaid?: unknown
  /** What it means, in a sentence for the reference. */
  readonly words?: string | undefined
}

/** Told, and never sent: made of the whole value. */
export interface Told<Whole> {
  readonly codec: AnyAnswer
  readonly read: (whole: Whole) => unknown
  readonly words?: string | undefined
}

export const required = <const Key extends string, C>(
  key: Key,
  codec: C,
  words?: string,
): Field<Key, C, 'required'> => ({
  key,
  codec,
  presence: 'required',
  words,
})

export const optional = <const Key extends string, C>(
  key: Key,
  codec: C,
  words?: string,
): Field<Key, C, 'optional'> => ({
  key,
  codec,
  presence: 'optional',
  words,
})

export const given = <const Key extends string, C>(key: Key, codec: C, words?: string): Field<Key, C, 'given'> => ({
  key,
  codec,
  presence: 'given',
  words,
})

export const defaulted = <const Key extends string, C extends AnyBody>(
  key: Key,
  codec: C,
  fallback: SentBy<C>,
  words?: string,
): Field<Key, C, 'defaulted'> => ({ key, codec, presence: 'defaulted', fallback, words })

export const told = <Whole, Domain>(
  codec: { readonly answer: z.ZodType; readonly encode: (value: Domain) => unknown },
  read: (whole: Whole) => Domain,
  words?: string,
): Told<Whole> => ({ codec, read, words })

/** The same fields, told with what the domain takes where they are left out; null is nothing to tell of. */
export const withDefaults = <F extends BodyFields>(fields: F, defaults: Readonly<Record<string, unknown>>): F =>
  Object.fromEntries(
    Object.entries(fields).map(([wire, field]) => [wire, { ...field, unlessSaid: defaults[field.key] ?? undefined }]),
  ) as F

/** Fields that can be sent, by their names on the wire. */
export type BodyFields = Readonly<Record<string, Field<string, AnyBody, Presence>>>

/** What is told of a value: each field is one of the value's own, and its codec takes what stands there. */
export type AnswerFields<Whole> = Readonly<Record<string, AnswerField<Whole>>>

export type AnswerField<Whole> =
  | Told<Whole>
  | {
      [Key in keyof Whole & string]:
        | Field<Key, Telling<Whole[Key]>, Exclude<Presence, 'given'>>
        | Field<Key, Telling<NonNullable<Whole[Key]>>, 'given'>
    }[keyof Whole & string]

interface Telling<Value> {
  readonly answer: z.ZodType
  readonly encode: (value: Value) => unknown
}
