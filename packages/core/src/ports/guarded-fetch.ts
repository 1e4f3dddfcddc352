/** One HTTP call to an address that a user configured. */
export interface GuardedRequest {
  /** Absolute, `https:` or `http:`; a fragment is left out. */
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Milliseconds for all of it: the name, the connection, the answer. */
  readonly timeoutMs: number
  /** Largest number of bytes of the answer's body that are read. */
  readonly maxResponseBytes: number
}

/**
 * Which addresses may be called beside public ones. Unspecified, multicast, reserved and metadata addresses are never called,
 * whatever it says.
 */
export interface AddressPolicy {
  /** 127.0.0.0/8 and ::1. */
  readonly allowLoopback: boolean
  /** Loopback, RFC 1918, unique local, link-local and carrier-grade NAT addresses. */
  readonly allowPrivate: boolean
  readonly httpsOnly: boolean
}

export interface GuardedAnswer {
  readonly status: number
  /** Names in lower case; several of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Whether the body was longer than the part that was read. */
  readonly truncated: boolean
}

/**
 * Calls addresses that strangers name, without being made to call what only this machine reaches.
 * - Every address that the name resolves to is judged, at every call; one bad one refuses the call.
 * - The connection goes to an address that was judged: the name is not resolved again.
 * - Redirects are not followed: their status is the answer.
 */
export interface GuardedFetch {
  /** Throws AddressRefused before anything is sent; FetchFailed where no whole answer came in time. */
  fetch(request: GuardedRequest, policy: AddressPolicy): Promise<GuardedAnswer>
  /** Judges without calling: throws AddressRefused. A name that does not resolve now is left to the call. */
  check(url: string, policy: AddressPolicy): Promise<void>
}

/** The URL or one of its addresses may not be called. `reason` is a sentence for the author of the URL. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  constructor(readonly reason: string) {
    super(`the address is refused: ${reason}`)
  }
}

/** `dns`: the name has no address. `timeout`: no whole answer in time. `connection`: refused, cut off, or not HTTP. */
export type FetchFailure = 'dns' | 'timeout' | 'connection'

export class FetchFailed extends Error {
  override readonly name = 'FetchFailed'
  constructor(
    readonly failure: FetchFailure,
    /** A sentence for a developer. */
    readonly reason: string,
  ) {
    super(`the call failed: ${reason}`)
  }
}
