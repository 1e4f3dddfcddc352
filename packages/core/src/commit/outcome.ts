import type { ServiceError } from '../errors/service-error'
import type { CommitConflict } from '../ports/storage/index'
import type { JsonValue } from '../shared/json'
import { HOUR_MS } from '../shared/time'
import type { Draft } from './draft'

/** What a use case decided in one try: the commit as a value, and what the caller is answered once it holds. */
export interface Outcome<T> {
  readonly draft: Draft
  readonly answer: T
  /** The answer as it is kept for a repeated call; left out where they are the same. Secrets never go in. */
  readonly recorded?: T
  /** Whether it may lose to others more often than most. */
  readonly isContended?: boolean
  /** Turns a conflict that another try cannot mend (a unique key, a limit) into the refusal it means. */
  readonly onConflict?: (conflict: CommitConflict) => Promise<ServiceError | undefined> | ServiceError | undefined
}

/** Bytes of answers that one commit keeps for those who called with an idempotency key, one at least; the others are in the next. */
export const MAX_RECORDED_BYTES = 4 * 1_024 * 1_024

/** An answer is replayed for 24 hours (docs/http-api.md §1). */
export const IDEMPOTENCY_LIFETIME_MS = 24 * HOUR_MS

/** Adds the record of the answer to the commit of the effect, so that there is never one without the other. */
export function recordAnswer<T>(
  { draft, answer, recorded }: Outcome<T>,
  key: { id: string; requestHash: string },
): void {
  draft.create('idempotency', {
    id: key.id,
    version: 1,
    requestHash: key.requestHash,
    answer: asJson(recorded ?? answer),
    createdAt: draft.at,
    expiresAt: draft.at + IDEMPOTENCY_LIFETIME_MS,
  })
}

/** Plain JSON in, plain JSON out. */
const asJson = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value ?? null)) as JsonValue
