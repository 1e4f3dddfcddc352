import { z } from '@hono/zod-openapi'
import { type JsonObject, type Page, type PageRequest, REGIONS, type Stretch, TIERS } from '@matchyard/core'
import {
  freeFormFault,
  holdsUnseen,
  isJsonObject,
  MAX_FREE_FORM_BYTES,
  MAX_FREE_FORM_DEPTH,
  NAME_LENGTH,
  type Range,
  SECONDS,
  UNSEEN_RULE,
} from '@matchyard/core/domain'
import { type AnswerCodec, answerOf, component, given, longListOf, noted, plain, required, told } from './codec/index'
import { wireSentence } from './spoken-names'

/** Returns the schema of a text whose number of characters (code points) is in a range. */
const ofLength = ({ min, max }: Range) =>
  z.string().refine((value) => {
    const { length } = value.length > 2 * max ? value : [...value]
    return length >= min && length <= max
  }, `must be ${min} to ${max} characters long`)

const textSchema = (range: Range) => ofLength(range).openapi({ minLength: range.min, maxLength: range.max })

/** Returns the schema of a text that people read in lists and terminals; it has no invisible characters. */
const nameSchema = (range: Range) =>
  ofLength(range)
    .refine((value) => !holdsUnseen(value), UNSEEN_RULE)
    .openapi({ minLength: range.min, maxLength: range.max })

const wholeSchema = ({ min, max }: Range) =>
  z.int('must be a whole number').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`)

/** Codec of a text in answers, independent of the checks on texts in requests. */
export const string = plain(z.string())
/** Codec of a sentence of core in answers; its names of fields and calls become those of HTTP. */
export const sentence = { answer: z.string(), encode: wireSentence }
export const flag = plain(z.boolean())
/** Codec of a whole number in answers. */
export const whole = plain(z.int())
export const number = plain(z.number())

/** Returns the codec of a text. Texts in requests are checked; the schema of answers has no limits. */
export const text = (length: Range) => plain(textSchema(length), z.string())
/** Returns the codec of a whole number. Numbers in requests are checked; the schema of answers has no limits. */
export const wholeIn = (range: Range) => plain(wholeSchema(range), z.int())
export const seconds = wholeIn(SECONDS)

/** Returns the codec of a text that is shown in lists and terminals. Texts in requests are checked; the schema of answers has no limits. */
export const nameText = (length: Range) => plain(nameSchema(length), z.string())
/** Codec of names of accounts, lobbies, servers, queues and keys. */
export const name = nameText(NAME_LENGTH)
export const region = plain(component(z.enum(REGIONS), 'Region', 'A region code.'))
export const tier = plain(component(z.enum(TIERS), 'Tier', 'A size of game server: cores and gigabytes.'))

/** Returns the codec of an enumeration. */
export const oneOf = <const Word extends string>(words: readonly [Word, ...Word[]]) => plain(z.enum(words))

/** Codec of a free-form object. The schema validates the parsed object itself and never copies it. */
export const freeForm = plain(
  noted(
    z
      .custom<JsonObject>((value) => isJsonObject(value), 'must be an object')
      .superRefine((value, context) => {
        if (!isJsonObject(value)) return
        const fault = freeFormFault(value)
        if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
      })
      .openapi({ type: 'object', additionalProperties: true }),
    `Free-form, at most ${MAX_FREE_FORM_BYTES / 1_024} kB and ${MAX_FREE_FORM_DEPTH} levels deep.`,
  ),
)

/** Page of a list, with the requested limit and offset. */
export interface Listed<T> extends Page<T>, PageRequest {}

export const listed = <T>(page: Page<T>, { limit, offset }: PageRequest): Listed<T> => ({
  total: page.total,
  limit,
  offset,
  data: page.data,
})

/** Envelope of a list. If the list is read by cursor, the envelope has the cursor of the next page. */
interface Enveloped<T> extends Listed<T> {
  readonly nextCursor?: string | null
}

const counted = {
  total: required(whole, 'Total number of items.'),
  limit: required(whole, 'Maximum number of items in a page.'),
  offset: required(whole, 'Number of items before this page.'),
}

/** Returns the field `has_more` of an answer: whether another page follows. */
export const hasMore = <Whole>(read: (whole: Whole) => boolean) => told(flag, read, 'Whether another page follows.')

const nextCursor = given(string, 'Cursor of the next answer; absent at the end.')

/** Returns the field with the items of a page. */
export const pageData = <T, Answer extends z.ZodType>(item: AnswerCodec<T, Answer>) =>
  required(longListOf(item), 'Items of this page.')

/** Returns the codec of a list that can be read by offset or by cursor. */
export const walkablePageOf = <T, Answer extends z.ZodType>(item: AnswerCodec<T, Answer>) =>
  answerOf<Enveloped<T>>()({
    ...counted,
    hasMore: hasMore(({ offset, data, total, nextCursor }: Enveloped<T>) =>
      nextCursor === undefined ? offset + data.length < total : nextCursor !== null,
    ),
    nextCursor,
    data: pageData(item),
  })

/** A page of a list that can be read only by cursor, with the requested limit. */
export interface WalkedList<T> extends Stretch<T> {
  readonly limit: number
}

/** Returns the codec of a list that can be read only by cursor. It has no total, because such a list is not counted. */
export const stretchOf = <T, Answer extends z.ZodType>(item: AnswerCodec<T, Answer>) =>
  answerOf<WalkedList<T>>()({
    limit: counted.limit,
    hasMore: hasMore(({ nextCursor }: WalkedList<T>) => nextCursor !== null),
    nextCursor,
    data: pageData(item),
  })

/** A page of a list that can be read only by cursor and is counted. */
export interface CountedWalk<T> extends WalkedList<T> {
  readonly total: number
}

/** Returns the codec of a list that can be read only by cursor, with the total number of its items. */
export const countedStretchOf = <T, Answer extends z.ZodType>(item: AnswerCodec<T, Answer>) =>
  answerOf<CountedWalk<T>>()({
    total: counted.total,
    limit: counted.limit,
    hasMore: hasMore(({ nextCursor }: CountedWalk<T>) => nextCursor !== null),
    nextCursor,
    data: pageData(item),
  })

/** Returns the codec of a list that is read by offset. */
export const pageOf = <T, Answer extends z.ZodType>(item: AnswerCodec<T, Answer>) =>
  answerOf<Listed<T>>()({
    ...counted,
    hasMore: hasMore(({ offset, data, total }: Listed<T>) => offset + data.length < total),
    data: pageData(item),
  })
