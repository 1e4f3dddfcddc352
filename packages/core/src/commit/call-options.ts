import type { TraceParent } from '../ports/tracing'

/** Options of a call beside its input. */
export interface CallOptions {
  /**
   * An idempotency key, already scoped to credential, player and route, and a hash of the request. The records of an `owner`, and of its
   * `group`, have bounds; calls without an owner share the bounds of one owner.
   */
  readonly idempotency?: {
    readonly id: string
    readonly requestHash: string
    readonly owner?: string
    readonly group?: string
  }
  /** Told before a repeated call is answered: with its kept answer, or, where that was too long to be kept, from the present state. */
  readonly onReplay?: (from: 'recorded' | 'current') => void
  /** Parent span of the call (W3C `traceparent`): later spans, on any node, belong to its trace. */
  readonly trace?: TraceParent | undefined
  /** Origin of the call, for its share of the password hashing. Default: the operator. */
  readonly from?: CallOrigin | undefined
}

/** The place that a call came from. */
export interface CallOrigin {
  /** The network address, or the part of it that counts as one. */
  readonly address: string
  /** Whether the same account signed in from there before. */
  readonly isReturning?: boolean
}
