import { z } from '@hono/zod-openapi'
import { type AnswerCodec, type AnyAnswer, type AnyBody, type BodyCodec, type SentBy, untouched } from './codec'
import { component, described } from './described'
import type { AnswerFields, BodyFields, Field, Presence } from './fields'
import type { PathNames } from './path-names'
import { type NamesOf, wireName } from './wire-names'

type Present<F> = {
  readonly [Key in keyof F as F[Key] extends Field<unknown, 'required' | 'defaulted'> ? Key : never]: Sent<F[Key]>
}
type Absent<F> = {
  readonly [Key in keyof F as F[Key] extends Field<unknown, 'optional' | 'given'> ? Key : never]?: Sent<F[Key]>
}
type Sent<F> = F extends Field<infer C, Presence> ? SentBy<C> : never

/** Domain type of an object that a codec has read. Fields that were not sent are missing. */
export type Decoded<F> = { [Key in keyof (Present<F> & Absent<F>)]: (Present<F> & Absent<F>)[Key] }

/** Returns the codec of a body with these fields and no others. */
export function bodyOf<F extends BodyFields>(
  fields: F,
  name?: string,
  words?: string,
): BodyCodec<Decoded<F>, z.ZodObject> {
  return reading(stepsOf(fields), (shape) => component(z.strictObject(shape), name, words))
}

/** Returns the codec of a query with these parameters; others are ignored. */
export const queryOf = <F extends BodyFields>(fields: F, names?: NamesOf<F>): BodyCodec<Decoded<F>, z.ZodObject> =>
  reading(stepsOf(fields, names), (shape) => z.object(shape))

/** Returns the codec of an answer with these fields. */
export const answerOf =
  <Whole>(names?: NamesOf<Whole>) =>
  <F extends object>(
    fields: F & AnswerFields<Whole, F>,
    name?: string,
    words?: string,
  ): AnswerCodec<Whole, z.ZodObject> => {
    const steps = stepsOf(fields, names)
    return {
      answer: component(z.object(toldShape(steps)), name, words),
      encode: encoder(steps),
      pieces: inPieces(steps),
    }
  }

/** Fields for every property of an object. */
type Each<Whole> = { readonly [Name in keyof Required<Whole>]: unknown }

/**
 * Returns the codec of an object that is read and written with the same fields and one schema. Every property of the
 * object must have a field.
 */
export const mirrorOf =
  <Whole>() =>
  <F extends BodyFields & Each<Whole>>(fields: F & AnswerFields<Whole, F>, name?: string, words?: string) => {
    const read = bodyOf<F>(fields, name, words)
    const encode: (value: Whole) => unknown = encoder(stepsOf(fields))
    return {
      ...read,
      /** Schema of the object in answers. */
      answer: read.body,
      /** Returns the object as JSON has it. */
      encode,
    }
  }

/** Returns the codec of an answer that has the fields of another value, and additional fields. */
export const extensionOf =
  <Whole, Base>(base: AnswerCodec<Base, z.ZodObject>, read: (whole: Whole) => Base, names?: NamesOf<Whole>) =>
  <F extends object>(
    fields: F & AnswerFields<Whole, F>,
    name?: string,
    words?: string,
  ): AnswerCodec<Whole, z.ZodObject> => {
    const steps = stepsOf(fields, names)
    const encode = encoder<Whole>(steps)
    return {
      answer: component(z.object({ ...base.answer.shape, ...toldShape(steps) }), name, words),
      encode: (value) => ({ ...(base.encode(read(value)) as Loose), ...(encode(value) as Loose) }),
    }
  }

/** A prepared field without its static types, which the compiler checked where the field was listed. */
interface Step {
  /** Name in the domain. */
  readonly key: string
  readonly wire: string
  readonly codec: AnyBody & AnyAnswer
  readonly presence?: Presence
  readonly fallback?: unknown
  readonly unlessSaid?: unknown
  readonly read?: (whole: unknown) => unknown
  readonly words?: string | undefined
}
type Loose = Record<string, unknown>

// Prepares the fields once, so that no name is computed and no schema is examined during a request.
function stepsOf(fields: object, names?: NamesOf<Loose>): readonly Step[] {
  const steps = Object.entries(fields).map(([key, field]) => ({ ...field, key, wire: wireName(key, names) }))
  const known = new Set<string>()
  for (const { wire } of steps) {
    if (known.has(wire)) throw new Error(`two fields are called ${wire} on the wire`)
    known.add(wire)
  }
  return steps
}

const shapeOf = (steps: readonly Step[], make: (step: Step) => z.ZodType): Record<string, z.ZodType> =>
  Object.fromEntries(steps.map((step) => [step.wire, make(step)]))

const sentShape = (steps: readonly Step[]) =>
  shapeOf(steps, ({ codec: { body }, presence, fallback, unlessSaid = fallback, words }) => {
    const schema = described(body, words)
    if (presence === 'required') return schema
    return unlessSaid === undefined ? schema.optional() : schema.optional().openapi({ default: unlessSaid })
  })

const toldShape = (steps: readonly Step[]) =>
  shapeOf(steps, ({ codec: { answer }, presence, words }) => {
    const schema = described(answer, words)
    return presence === 'given' ? schema.optional() : schema
  })

function reading<Domain>(
  steps: readonly Step[],
  schemaOf: (shape: Record<string, z.ZodType>) => z.ZodObject,
): BodyCodec<Domain, z.ZodObject> {
  const names: PathNames = { fields: new Map(steps.map(({ key, wire, codec }) => [key, { wire, inner: codec.names }])) }
  return { body: schemaOf(sentShape(steps)), decode: decoder(steps), names }
}

function decoder<Domain>(steps: readonly Step[]): (sent: Loose) => Domain {
  return (sent) => {
    const made: Loose = {}
    for (const { wire, key, codec, fallback } of steps) {
      const value = sent[wire]
      if (value !== undefined) made[key] = codec.decode === untouched ? value : codec.decode(value as never)
      else if (fallback !== undefined) made[key] = fallback
    }
    return made as Domain
  }
}

function encoder<Whole>(fields: readonly Step[]): (value: Whole) => unknown {
  const steps = fields.map(({ wire, key, codec, read, presence }) => ({
    wire,
    key,
    read,
    encode: codec.encode === untouched ? undefined : (codec.encode as (value: unknown) => unknown),
    onlyIfSet: presence === 'given',
  }))
  // Each answer is a copy of this object. Copying an object that has all fields is faster than adding the fields one by
  // one.
  const blank: Loose = Object.fromEntries(steps.map(({ wire }) => [wire, undefined]))
  return (whole) => {
    const answer = { ...blank }
    for (const { wire, key, read, encode, onlyIfSet } of steps) {
      const value = read === undefined ? (whole as Loose)[key] : read(whole)
      // An unset field stays undefined, and JSON leaves it out.
      if (onlyIfSet && (value === undefined || value === null)) continue
      answer[wire] = encode === undefined ? value : encode(value)
    }
    return answer
  }
}

/**
 * Returns a function that writes, in pieces, the same text as `JSON.stringify` of the result of `encoder`; undefined if
 * no field is a long list.
 */
function inPieces<Whole>(fields: readonly Step[]): ((value: Whole) => Generator<string>) | undefined {
  const steps = fields.map(({ wire, key, codec, read, presence }) => ({
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
