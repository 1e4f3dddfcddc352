import {
  type AddressPolicy,
  AddressRefused,
  type GuardedAnswer,
  type GuardedFetch,
  type GuardedRequest,
} from '@matchyard/core/ports'

/** Answer of a fake HTTP client. */
export type FakeAnswer = {
  /** HTTP status. */
  readonly status: number
  /** Body of the answer. Default: empty. */
  readonly body?: string
  /** Headers of the answer. Default: none. */
  readonly headers?: Record<string, string>
}

/** An HTTP client that sends nothing: a test sets the answers and reads the recorded requests. */
export class FakeGuardedFetch implements GuardedFetch {
  /** Requests in order, with the policies that checked their addresses. */
  readonly requests: {
    /** The request. */
    readonly request: GuardedRequest
    /** Policy that the caller passed. */
    readonly policy: AddressPolicy
  }[] = []
  /** Replace this function to return another answer, or to throw `FetchFailed`. */
  answer: (request: GuardedRequest) => FakeAnswer | Promise<FakeAnswer> = () => ({ status: 200 })
  /**
   * Replace this function to refuse an address: it returns the reason as a sentence, or undefined for an allowed
   * address.
   */
  refuses: (url: string, policy: AddressPolicy) => string | undefined = (url, { httpsOnly }) =>
    httpsOnly && !url.startsWith('https:') ? 'only https is called here' : undefined

  async fetch(request: GuardedRequest, policy: AddressPolicy): Promise<GuardedAnswer> {
    await this.check(request.url, policy)
    this.requests.push({ request, policy })
    const { status, body = '', headers = {} } = await this.answer(request)
    const bytes = Buffer.from(body)
    const truncated = bytes.length > request.maxResponseBytes
    return { status, headers, body: new Uint8Array(bytes.subarray(0, request.maxResponseBytes)), truncated }
  }

  async check(url: string, policy: AddressPolicy): Promise<void> {
    const refusal = this.refuses(url, policy)
    if (refusal !== undefined) throw new AddressRefused(refusal)
  }
}
