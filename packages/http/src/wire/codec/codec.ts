import { z } from '@hono/zod-openapi'
import type { Instant } from '@matchyard/core'
import { isoOf } from './iso'
import type { PathNames } from './path-names'

/**
 * The reading half of a codec: the schema of accepted input, and the conversion of the input to the domain's field
 * names. The domain is the core's own model.
 */
export interface BodyCodec<Domain, Body extends z.ZodType = z.ZodType> {
  /** Schema that validates the input, and describes it in the OpenAPI document. */
  readonly body: Body
  /** Returns an accepted input with the domain's field names. */
  readonly decode: (sent: z.output<Body>) => Domain
  /**
   * JSON names of the fields inside the value, for paths in errors; undefined if all fields have the same name in the
   * domain.
   */
  readonly names: PathNames | undefined
}

/** The writing half of a codec: the conversion of a domain value to the JSON of an answer. */
export interface AnswerCodec<Domain, Answer extends z.ZodType = z.ZodType> {
  /** Schema for the OpenAPI document. Answers are not validated with it. */
  readonly answer: Answer
  readonly encode: (value: Domain) => unknown
  /**
   * Returns the JSON text in pieces, one for each item. Present for long lists, and for objects that have a long list
   * as a field.
   */
  readonly pieces?: ((value: Domain) => Iterable<string>) | undefined
}

/** Codec of one kind of value, which reads and writes. */
export interface Codec<Domain, Body extends z.ZodType = z.ZodType, Answer extends z.ZodType = Body>
  extends BodyCodec<Domain, Body>,
    AnswerCodec<Domain, Answer> {}

export interface AnyBody {
  readonly body: z.ZodType
  readonly decode: (sent: never) => unknown
  readonly names: PathNames | undefined
}

export interface AnyAnswer {
  readonly answer: z.ZodType
  readonly encode: (value: never) => unknown
  readonly pieces?: ((value: never) => Iterable<string>) | undefined
}

/** Domain type that a codec reads. */
export type SentBy<C> = C extends { readonly decode: (sent: never) => infer Domain } ? Domain : never
/** Domain type that a codec writes. */
export type ToldBy<C> = C extends { readonly encode: (value: infer Domain) => unknown } ? Domain : never

/**
 * Conversion for a value that has the same form in the domain and in JSON. Other code recognises this function and
 * skips the call.
 */
export const untouched = <T>(value: T): T => value

/**
 * Returns a codec of a value that has the same form in the domain and in JSON. The schema for answers may be simpler
 * than that for inputs.
 */
export function plain<Body extends z.ZodType, Answer extends z.ZodType = Body>(
  body: Body,
  answer?: Answer,
): Codec<z.output<Body>, Body, Answer> {
  return { body, answer: answer ?? (body as unknown as Answer), decode: untouched, encode: untouched, names: undefined }
}

export const dateTime = z.string().openapi({ format: 'date-time' })

/** Codec of an instant: epoch milliseconds in the domain, ISO 8601 in UTC in JSON. */
export const instant: AnswerCodec<Instant, typeof dateTime> = { answer: dateTime, encode: isoOf }

/** Returns the codec of a value or null. */
export const nullable = <Domain, Answer extends z.ZodType>({
  answer,
  encode,
}: AnswerCodec<Domain, Answer>): AnswerCodec<Domain | null, z.ZodNullable<Answer>> => ({
  answer: answer.nullable(),
  encode: encode === untouched ? untouched : (value) => (value === null ? null : encode(value)),
})

/** Returns the codec of a value that may be absent; an absent value is written as null. */
export const orNull = <Domain, Answer extends z.ZodType>({
  answer,
  encode,
}: AnswerCodec<Domain, Answer>): AnswerCodec<Domain | null | undefined, z.ZodNullable<Answer>> => ({
  answer: answer.nullable(),
  encode: (value) => (value === undefined || value === null ? null : encode(value)),
})

/** Returns the codec of a list in an answer. */
export const listOf = <Domain, Answer extends z.ZodType>({
  answer,
  encode,
}: AnswerCodec<Domain, Answer>): AnswerCodec<readonly Domain[], z.ZodArray<Answer>> => ({
  answer: z.array(answer),
  encode: encode === untouched ? untouched : (values) => values.map((value) => encode(value)),
})

/**
 * Returns the codec of a list whose JSON may have megabytes. The list is written item by item, so that other calls can
 * run in between.
 */
export const longListOf = <Domain, Answer extends z.ZodType>(
  item: AnswerCodec<Domain, Answer>,
): AnswerCodec<readonly Domain[], z.ZodArray<Answer>> => ({
  ...listOf(item),
  *pieces(values) {
    let before = '['
    for (const value of values) {
      yield before + JSON.stringify(item.encode(value))
      before = ','
    }
    yield before === '[' ? '[]' : ']'
  },
})

/** Returns the codec of a list that is both read and written, with one schema for both. */
export function rowOf<Made, Domain, Body extends z.ZodType>(
  item: BodyCodec<Made, Body> & AnswerCodec<Domain, Body>,
): BodyCodec<Made[], z.ZodArray<Body>> & AnswerCodec<readonly Domain[], z.ZodArray<Body>> {
  const schema = z.array(item.body)
  return {
    ...listOf(item),
    body: schema,
    answer: schema,
    decode: (sent) => sent.map((value) => item.decode(value)),
    names: item.names && { items: item.names },
  }
}
