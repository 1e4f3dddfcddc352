import { z } from '@hono/zod-openapi'
import { type AnswerCodec, type AnyAnswer, type AnyBody, type BodyCodec, type SentBy, untouched } from './codec'
import { component, described } from './described'
import type { AnswerFields, BodyFields, Field, Presence } from './fields'
import type { PathNames } from './path-names'

type Name = string | undefined
type Words = string | undefined

type Shape<F extends BodyFields> = {
  [Wire in keyof F]: F[Wire] extends Field<string, { readonly body: infer S extends z.ZodType }, infer P>
    ? P extends 'required'
      ? S
      : z.ZodOptional<S>
    : never
}

type Present<F extends BodyFields> = {
  readonly [Wire in keyof F as F[Wire] extends Field<infer Key, unknown, 'required' | 'defaulted'> ? Key : never]: Sent<
    F[Wire]
  >
}
type Absent<F extends BodyFields> = {
  readonly [Wire in keyof F as F[Wire] extends Field<infer Key, unknown, 'optional' | 'given'> ? Key : never]?: Sent<
    F[Wire]
  >
}
type Sent<F> = F extends Field<string, infer C, Presence> ? SentBy<C> : never

/** What an object is in the domain's words; what was left out is not there. */
export type Decoded<F extends BodyFields> = { [Key in keyof (Present<F> & Absent<F>)]: (Present<F> & Absent<F>)[Key] }

/** A body of these fields and no others. */
export function bodyOf<F extends BodyFields>(
  fields: F,
  name?: Name,
  words?: Words,
): BodyCodec<Decoded<F>, z.ZodObject<Shape<F>, z.core.$strict>> {
  const schema = z.strictObject(sentShape(fields)) as unknown as z.ZodObject<Shape<F>, z.core.$strict>
  return { body: component(schema, name, words), decode: decoder(fields), names: namesOf(fields) }
}

/** The query parameters that are read; others are passed over. */
export function queryOf<F extends BodyFields>(fields: F): BodyCodec<Decoded<F>, z.ZodObject<Shape<F>, z.core.$strip>> {
  const schema = z.object(sentShape(fields)) as unknown as z.ZodObject<Shape<F>, z.core.$strip>
  return { body: schema, decode: decoder(fields), names: namesOf(fields) }
}

/** What is told of a value. */
export const answerOf =
  <Whole>() =>
  (fields: AnswerFields<Whole>, name?: Name, words?: Words): AnswerCodec<Whole, z.ZodObject> => ({
    answer: component(z.object(toldShape(fields as ErasedFields)), name, words),
    encode: encoder(fields as ErasedFields),
    pieces: inPieces(fields as ErasedFields),
  })

/** An object that is told as it was sent: one schema for both. */
export const mirrorOf =
  <Whole>() =>
  <F extends BodyFields & AnswerFields<Whole>>(fields: F, name?: Name, words?: Words) => {
    const { body, decode, names } = bodyOf<F>(fields)
    const schema = component(body, name, words)
    const encode: (value: Whole) => unknown = encoder(fields as ErasedFields)
    return { body: schema, answer: schema, decode, encode, names }
  }

/** What is told of a value that holds another: the other's fields, and these beside them. */
export const extensionOf =
  <Whole, Base>(base: AnswerCodec<Base, z.ZodObject>, read: (whole: Whole) => Base) =>
  (fields: AnswerFields<Whole>, name?: Name, words?: Words): AnswerCodec<Whole, z.ZodObject> => {
    const encode: (value: Whole) => unknown = encoder(fields as ErasedFields)
    return {
      answer: component(z.object({ ...base.answer.shape, ...toldShape(fields as ErasedFields) }), name, words),
      encode: (value) => ({ ...(base.encode(read(value)) as Loose), ...(encode(value) as Loose) }),
    }
  }

interface ErasedField {
  readonly codec: AnyBody & AnyAnswer
  readonly key?: string
  readonly presence?: Presence
  readonly fallback?: unknown
  readonly unlessSaid?: unknown
  readonly read?: (whole: unknown) => unknown
  readonly words?: string | undefined
}
/** The fields without their types, which held when they were put together. */
type ErasedFields = Readonly<Record<string, ErasedField>>

const mapped = <T>(fields: ErasedFields, make: (field: ErasedField) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fields).map(([wire, field]) => [wire, make(field)]))

const sentShape = (fields: BodyFields) =>
  mapped(fields as unknown as ErasedFields, ({ codec: { body }, presence, fallback, unlessSaid = fallback, words }) => {
    const schema = described(body, words)
    if (presence === 'required') return schema
    return unlessSaid === undefined ? schema.optional() : schema.optional().openapi({ default: unlessSaid })
  })

const toldShape = (fields: ErasedFields) =>
  mapped(fields, ({ codec: { answer }, presence, words }) => {
    const schema = described(answer, words)
    return presence === 'given' ? schema.optional() : schema
  })

function namesOf(fields: BodyFields): PathNames {
  const named = Object.entries(fields).map(([wire, { key, codec }]) => [key, { wire, inner: codec.names }] as const)
  return { fields: new Map(named) }
}

type Step = readonly [wire: string, field: ErasedField]
type Loose = Record<string, unknown>

// Steps are laid out once, so that a call only walks them: no schema is looked at while a request is under way.
function decoder<Domain>(fields: BodyFields): (sent: unknown) => Domain {
  const steps = Object.entries(fields as unknown as ErasedFields) as readonly Step[]
  return (sent) => {
    const made: Loose = {}
    for (const [wire, { key = wire, codec, fallback }] of steps) {
      const value = (sent as Loose)[wire]
      if (value !== undefined) made[key] = codec.decode === untouched ? value : codec.decode(value as never)
      else if (fallback !== undefined) made[key] = fallback
    }
    return made as Domain
  }
}

function encoder<Whole>(fields: ErasedFields): (value: Whole) => unknown {
  const steps = Object.entries(fields).map(([wire, { codec, key = wire, read, presence }]) => ({
    wire,
    key,
    read,
    encode: codec.encode === untouched ? undefined : (codec.encode as (value: unknown) => unknown),
    onlyIfSet: presence === 'given',
  }))
  // Copied for each answer: its fields are there from the start, which is quicker than adding them one by one.
  const blank: Loose = Object.fromEntries(steps.map(({ wire }) => [wire, undefined]))
  return (whole) => {
    const answer = { ...blank }
    for (const { wire, key, read, encode, onlyIfSet } of steps) {
      const value = read === undefined ? (whole as Loose)[key] : read(whole)
      // What is not set stays undefined, and JSON leaves it out.
      if (onlyIfSet && (value === undefined || value === null)) continue
      answer[wire] = encode === undefined ? value : encode(value)
    }
    return answer
  }
}

/** The same as `encoder` and `JSON.stringify` make, in pieces; undefined where no field is a long list. */
function inPieces<Whole>(fields: ErasedFields): ((value: Whole) => Generator<string>) | undefined {
  const steps = Object.entries(fields).map(([wire, { codec, key = wire, read, presence }]) => ({
    name: JSON.stringify(wire),
    read: read ?? ((whole: unknown) => (whole as Loose)[key]),
    encode: codec.encode as (value: unknown) => unknown,
    pieces: codec.pieces as ((value: unknown) => Iterable<string>) | undefined,
    onlyIfSet: presence === 'given',
  }))
  if (steps.every(({ pieces }) => pieces === undefined)) return undefined
  return function* (whole) {
    let before = '{'
    for (const { name, read, encode, pieces, onlyIfSet } of steps) {
      const value = read(whole)
      if (value === undefined || (onlyIfSet && value === null)) continue
      if (pieces === undefined) yield `${before}${name}:${JSON.stringify(encode(value))}`
      else {
        yield `${before}${name}:`
        yield* pieces(value)
      }
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}
