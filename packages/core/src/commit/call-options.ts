import type { TraceParent } from '../ports/tracing'

/** Options of a call beside its input. */
export interface CallOptions {
  /**
   * An idempotency key, already scoped to credential, player and route, and a hash of the request. What is kept for its `owner`, and
   * for the `group` that the owner is of, has bounds; the calls that name no owner share those of one.
   */
  readonly idempotency?: {
    readonly id: string
    readonly requestHash: string
    readonly owner?: string
    readonly group?: string
  }
  /** Told before a repeated call is answered: with its kept answer, or, where that was too long to be kept, from the present state. */
  readonly onReplay?: (from: 'recorded' | 'current') => void
  /** The place in a trace of which the call is a part (W3C `traceparent`): what follows from it, on any node, is told there. */
  readonly trace?: TraceParent | undefined
  /** Where the call came from, for its share of the hands that hash passwords. Default: whoever runs the installation. */
  readonly from?: CallOrigin | undefined
}

/** The place that a call came from. */
export interface CallOrigin {
  /** The network address, or the part of it that counts as one. */
  readonly address: string
  /** Whether the same account signed in from there before. */
  readonly isReturning?: boolean
}
