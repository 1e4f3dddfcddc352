import type { TraceParent } from '../ports/tracing'

/** Options of a call in addition to its input. */
export interface CallOptions {
  /**
   * Idempotency key and hash of the request. `id` already includes the credential, the player and the route. The number of stored answers
   * of an `owner`, and of a `group`, is bounded; calls without an owner share one bound.
   */
  readonly idempotency?: {
    readonly id: string
    readonly requestHash: string
    readonly owner?: string
    readonly group?: string
  }
  /**
   * Called before a repeated call returns. `recorded`: the stored answer is returned. `current`: the answer was too long to be stored, so
   * it is made from the present state.
   */
  readonly onReplay?: (from: 'recorded' | 'current') => void
  /** Parent span of the call (W3C `traceparent`). Later spans of the same work, on any node, belong to its trace. */
  readonly trace?: TraceParent | undefined
  /** Origin of the call, so that each origin gets its share of password hashing. Default: the operator. */
  readonly from?: CallOrigin | undefined
}

/** Network origin of a call. */
export interface CallOrigin {
  /** Network address, or the part of it that limits treat as one address. */
  readonly address: string
  /** Whether the same account signed in from this address before. */
  readonly isReturning?: boolean
}
