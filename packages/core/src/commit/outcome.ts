import type { ServiceError } from '../errors/service-error'
import type { CommitConflict } from '../ports/storage/index'
import { type JsonValue, utf8Length } from '../shared/json'
import { HOUR_MS } from '../shared/time'
import type { CallOptions } from './call-options'
import type { Draft } from './draft'

/** Result of one attempt of a use case: the commit as a value, and the answer to the caller after it. */
export interface Outcome<T> {
  readonly draft: Draft
  readonly answer: T
  /** The answer as it is kept for a repeated call; left out where they are the same. Secrets never go in. */
  readonly recorded?: T
  /** Kept in place of an answer that is too long; left out where no answer of the use case can be. */
  readonly about?: About
  /** Whether it may lose to others more often than most. */
  readonly isContended?: boolean
  /** Turns a conflict that another try cannot mend (a unique key, a limit) into the refusal it means. */
  readonly onConflict?: (conflict: CommitConflict) => Promise<ServiceError | undefined> | ServiceError | undefined
}

/** The thing that an answer is made of, and what else of the answer must be known to make it again. */
export interface About {
  readonly id: string
  readonly rest?: JsonValue
}

/** Returns the answer of a repeated call from the present state of its subject; throws the not-found error where the subject is gone. */
export type Again<T> = (about: Required<About>) => Promise<T>

/** UTF-8 bytes of JSON of the longest answer that is kept as it is (docs/http-api.md §1). */
export const MAX_KEPT_BYTES = 4 * 1_024

/** An answer is replayed for 24 hours (docs/http-api.md §1). */
export const IDEMPOTENCY_LIFETIME_MS = 24 * HOUR_MS

/** Stored form of an answer. */
export interface KeptAnswer {
  readonly answer: JsonValue
  readonly about?: string
  readonly bytes: number
}

/** Returns the stored form of an outcome: the answer, or its subject where the answer is long. */
export function keptAnswer<T>({ answer, recorded, about }: Omit<Outcome<T>, 'draft'>): KeptAnswer {
  const text = JSON.stringify(recorded ?? answer ?? null)
  if (about === undefined) return { answer: JSON.parse(text), bytes: utf8Length(text) }
  // No text has fewer bytes than characters.
  const bytes = text.length > MAX_KEPT_BYTES ? text.length : utf8Length(text)
  if (bytes <= MAX_KEPT_BYTES) return { answer: JSON.parse(text), bytes }
  const rest = about.rest ?? null
  return { answer: rest, about: about.id, bytes: about.id.length + JSON.stringify(rest).length }
}

/** Adds the record of the answer to the commit of the effect, so that there is never one without the other. */
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

/** Owner of the records of calls that name none: those of the program around the service. */
const EMBEDDER = 'embedder'
