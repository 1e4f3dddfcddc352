import type { ServiceError } from '../errors/service-error'
import type { CommitConflict } from '../ports/storage/index'
import { type JsonValue, utf8Length } from '../shared/json'
import { HOUR_MS } from '../shared/time'
import type { CallOptions } from './call-options'
import type { Draft } from './draft'

/** Result of one attempt of a use case: the commit as a value, and the answer for the caller. */
export interface Outcome<T> {
  readonly draft: Draft
  readonly answer: T
  /** Answer in the form that is stored for a repeated call; absent when it equals `answer`. It must not contain secrets. */
  readonly recorded?: T
  /**
   * Entity that the answer shows. If the answer is too long, this is stored instead of it. Absent when no answer of the use case can be too
   * long.
   */
  readonly about?: About
  /** Whether many callers change the same aggregate at the same time. The commit may then need more attempts than usual. */
  readonly isContended?: boolean
  /**
   * Returns the error for a conflict that another attempt cannot solve (a unique key, a limit); undefined when another attempt may succeed.
   */
  readonly onConflict?: (conflict: CommitConflict) => Promise<ServiceError | undefined> | ServiceError | undefined
}

/** Id of the entity that an answer shows. `rest` has the parts of the answer that the entity does not contain. */
export interface About {
  readonly id: string
  readonly rest?: JsonValue
}

/**
 * Returns the answer of a repeated call, made from the current state of the entity. Throws the entity's not-found error when the entity no
 * longer exists.
 */
export type Again<T> = (about: Required<About>) => Promise<T>

/** Maximum bytes of JSON (UTF-8) of an answer that is stored completely (docs/http-api.md §1). */
export const MAX_KEPT_BYTES = 4 * 1_024

/** Milliseconds for which an answer is stored: 24 hours (docs/http-api.md §1). */
export const IDEMPOTENCY_LIFETIME_MS = 24 * HOUR_MS

/** Form in which an answer is stored. */
export interface KeptAnswer {
  readonly answer: JsonValue
  readonly about?: string
  readonly bytes: number
}

/** Returns the stored form of an answer: the answer itself, or the id of its entity when the answer is too long. */
export function keptAnswer<T>({ answer, recorded, about }: Omit<Outcome<T>, 'draft'>): KeptAnswer {
  const text = JSON.stringify(recorded ?? answer ?? null)
  if (about === undefined) return { answer: JSON.parse(text), bytes: utf8Length(text) }
  // A text has at least as many bytes as characters. If its characters alone exceed the limit, its bytes need not be counted.
  const bytes = text.length > MAX_KEPT_BYTES ? text.length : utf8Length(text)
  if (bytes <= MAX_KEPT_BYTES) return { answer: JSON.parse(text), bytes }
  const rest = about.rest ?? null
  return { answer: rest, about: about.id, bytes: about.id.length + JSON.stringify(rest).length }
}

/** Adds the record of the answer to the commit of the change, so that either both or none of them are stored. */
export function recordAnswer(draft: Draft, key: NonNullable<CallOptions['idempotency']>, kept: KeptAnswer): void {
  draft.create('idempotency', {
    id: key.id,
    version: 1,
    requestHash: key.requestHash,
    owner: key.owner ?? EMBEDDER,
    group: key.group ?? null,
    ...kept,
    createdAt: draft.at,
    expiresAt: draft.at + IDEMPOTENCY_LIFETIME_MS,
  })
}

/** Owner of the stored answers of calls without an owner, which come from the embedding application. */
const EMBEDDER = 'embedder'
