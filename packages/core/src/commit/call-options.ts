import type { AuditActor } from '../audit/entry'
import type { TraceParent } from '../ports/tracing'

/** Options of a call in addition to its input. */
export interface CallOptions {
  /**
   * Idempotency key and hash of the request. `id` is a hash that already includes the credential, the player and the route. The number of
   * stored answers of one `owner`, and of one `group`, is bounded. All calls without an owner share one bound.
   */
  readonly idempotency?: {
    /** Id under which the answer is stored, unique in the installation. */
    readonly id: string
    /** Hash of the request; a repeated call with another hash is rejected with `IDEMPOTENCY_MISMATCH`. */
    readonly requestHash: string
    /** Credential for which the answers are counted; absent for calls that share one bound. */
    readonly owner?: string
    /** Group of owners for which the answers are counted, for example a project; absent without a group. */
    readonly group?: string
  }
  /**
   * Called before a repeated call returns. `recorded`: the call returns the stored answer. `current`: the answer was too long to be stored,
   * so the call returns an answer that is made from the current state.
   */
  readonly onReplay?: (from: 'recorded' | 'current') => void
  /** Parent span of the call (W3C `traceparent`). Later spans of the same work belong to the same trace, on any node. */
  readonly trace?: TraceParent | undefined
  /**
   * Network origin of the call. The origins in a waiting line for password hashing take turns, and a session that the call opens shows its
   * address. Default: the operator.
   */
  readonly from?: CallOrigin | undefined
  /**
   * Author of the change for the audit log. Absent: the audit log does not record the call. An embedding application passes it for the people
   * who administer the game.
   */
  readonly actor?: AuditActor | undefined
}

/** Network origin of a call. */
export interface CallOrigin {
  /** Network address, or the network prefix that limits treat as one address. */
  readonly address: string
  /** Whether the same account has signed in from this address before. */
  readonly isReturning?: boolean
}
