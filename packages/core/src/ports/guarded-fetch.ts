/** One HTTP call to an address that a user configured. */
export interface GuardedRequest {
  /** Absolute `https:` or `http:` URL. A fragment is not sent. */
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Maximum milliseconds of the whole call: resolving the name, connecting, and reading the answer. */
  readonly timeoutMs: number
  /** Maximum bytes that are read of the answer's body. */
  readonly maxResponseBytes: number
}

/**
 * Non-public addresses that may be called too. Unspecified, multicast, reserved and metadata addresses are never called, under any policy.
 */
export interface AddressPolicy {
  /** Allows 127.0.0.0/8 and ::1. */
  readonly allowLoopback: boolean
  /** Allows loopback, RFC 1918, unique local, link-local and carrier-grade NAT addresses. */
  readonly allowPrivate: boolean
  readonly httpsOnly: boolean
}

export interface GuardedAnswer {
  readonly status: number
  /** Headers by lower-case name; several values of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Whether the body was longer than `maxResponseBytes`, so that its end is missing. */
  readonly truncated: boolean
}

/**
 * Calls addresses that customers configure, and refuses addresses that only this machine or its network can reach.
 * - Every call checks every address that the name resolves to. One refused address refuses the call.
 * - The connection uses a checked address; the name is not resolved again.
 * - Redirects are not followed: the redirect itself is the answer.
 */
export interface GuardedFetch {
  /**
   * Sends the request. Throws AddressRefused before anything is sent, and FetchFailed when no complete answer arrives within the time
   * limit.
   */
  fetch(request: GuardedRequest, policy: AddressPolicy): Promise<GuardedAnswer>
  /**
   * Checks a URL without calling it. Throws AddressRefused when the URL may not be called. A name that cannot be resolved at present passes
   * the check; `fetch` checks it again.
   */
  check(url: string, policy: AddressPolicy): Promise<void>
}

/** Thrown when the URL or one of its addresses may not be called. `reason` is a sentence for the author of the URL. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  constructor(readonly reason: string) {
    super(`the address is refused: ${reason}`)
  }
}

/**
 * Kind of a failure. `dns`: the name has no address. `timeout`: no complete answer in time. `connection`: refused, cut off, or not HTTP.
 */
export type FetchFailure = 'dns' | 'timeout' | 'connection'

export class FetchFailed extends Error {
  override readonly name = 'FetchFailed'
  constructor(
    readonly failure: FetchFailure,
    /** Reason of the failure, as a sentence for a developer. */
    readonly reason: string,
  ) {
    super(`the call failed: ${reason}`)
  }
}
