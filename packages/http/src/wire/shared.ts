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

/** Text of so many characters (code points). */
const ofLength = ({ min, max }: Range) =>
  z.string().refine((value) => {
    const { length } = value.length > 2 * max ? value : [...value]
    return length >= min && length <= max
  }, `must be ${min} to ${max} characters long`)

const textSchema = (range: Range) => ofLength(range).openapi({ minLength: range.min, maxLength: range.max })

/** Text that people read in a list and in a terminal. */
const nameSchema = (range: Range) =>
  ofLength(range)
    .refine((value) => !holdsUnseen(value), UNSEEN_RULE)
    .openapi({ minLength: range.min, maxLength: range.max })

const wholeSchema = ({ min, max }: Range) =>
  z.int('must be a whole number').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`)

/** Text in answers, whatever was demanded of it when it was sent. */
export const string = plain(z.string())
export const flag = plain(z.boolean())
/** A whole number in answers. */
export const whole = plain(z.int())
export const number = plain(z.number())

/** Text as it is sent; told as plain text. */
export const text = (length: Range) => plain(textSchema(length), z.string())
/** A whole number as it is sent; told as a plain one. */
export const wholeIn = (range: Range) => plain(wholeSchema(range), z.int())
export const seconds = wholeIn(SECONDS)

/** Text as it is sent that people read in a list and in a terminal; told as plain text. */
export const nameText = (length: Range) => plain(nameSchema(length), z.string())
/** Names of accounts, lobbies, servers, queues and keys. */
export const name = nameText(NAME_LENGTH)
export const region = plain(component(z.enum(REGIONS), 'Region', 'A region code.'))
export const tier = plain(component(z.enum(TIERS), 'Tier', 'A size of game server: cores and gigabytes.'))

/** Returns the codec of an enumeration. */
export const oneOf = <const Word extends string>(words: readonly [Word, ...Word[]]) => plain(z.enum(words))

/** Carried through untouched: the schema judges the very object that was parsed and never rebuilds it. */
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

/** A page of a list and where it was asked to begin. */
export interface Listed<T> extends Page<T>, PageRequest {}

export const listed = <T>(page: Page<T>, { limit, offset }: PageRequest): Listed<T> => ({
  total: page.total,
  limit,
  offset,
  data: page.data,
})

/** Envelope of a list; a list with a cursor tells where it continues. */
interface Enveloped<T> extends Listed<T> {
  readonly nextCursor?: string | null
}

const counted = {
  total: required(whole, 'Total number of items.'),
  limit: required(whole, 'Maximum number of items in a page.'),
  offset: required(whole, 'Number of items before this page.'),
}

/** Whether a list goes on. */
export const hasMore = <Whole>(read: (whole: Whole) => boolean) => told(flag, read, 'Whether another page follows.')

const nextCursor = given(string, 'Cursor of the next answer; absent at the end.')

/** Returns the field with the items of a page. */
export const pageData = <T, Answer extends z.ZodType>(item: AnswerCodec<T, Answer>) =>
  required(longListOf(item), 'Items of this page.')

/** The envelope of a list that goes on from a cursor where that is asked for. */
export const walkablePageOf = <T, Answer extends z.ZodType>(item: AnswerCodec<T, Answer>) =>
  answerOf<Enveloped<T>>()({
    ...counted,
    hasMore: hasMore(({ offset, data, total, nextCursor }: Enveloped<T>) =>
      nextCursor === undefined ? offset + data.length < total : nextCursor !== null,
    ),
    nextCursor,
    data: pageData(item),
  })

/** Some of a list that only goes on from a cursor, and how many were asked for. */
export interface WalkedList<T> extends Stretch<T> {
  readonly limit: number
}

/** The envelope of such a list: how long it is nobody counts. */
export const stretchOf = <T, Answer extends z.ZodType>(item: AnswerCodec<T, Answer>) =>
  answerOf<WalkedList<T>>()({
    limit: counted.limit,
    hasMore: hasMore(({ nextCursor }: WalkedList<T>) => nextCursor !== null),
    nextCursor,
    data: pageData(item),
  })

/** The envelope of every list. */
export const pageOf = <T, Answer extends z.ZodType>(item: AnswerCodec<T, Answer>) =>
  answerOf<Listed<T>>()({
    ...counted,
    hasMore: hasMore(({ offset, data, total }: Listed<T>) => offset + data.length < total),
    data: pageData(item),
  })
