import type { ObservedBatch } from '@matchyard/core'
import { AGENT_HEADER, type ArchiveLocation, batchText, readLocation, readTaken } from '@matchyard/http'

/** Milliseconds within which the service must have answered. */
const WITHIN_MS = 15_000
/** Maximum bytes of an answer that is read as text. */
const MAX_ANSWER_BYTES = 64 * 1024
/** Maximum milliseconds for which an agent waits because the service asked it to. */
const MAX_RETRY_AFTER_MS = 60_000

/** Thrown for an answer of the service that is not a success, and when there is no answer. */
export class NoSuccess extends Error {
  override readonly name = 'NoSuccess'
  constructor(
    /** Status of the answer; undefined without an answer. */
    readonly status: number | undefined,
    /** Sentence about the cause, without the address of the service and without the token. */
    sentence: string,
    /** Milliseconds after which the service wants to be asked again. */
    readonly retryAfterMs = 0,
  ) {
    super(sentence)
  }
}

/** Calls of the service by an agent. Redirects are not followed, because the token is for the service alone. */
export class ServiceCalls {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** Opens the stream of calls. Rejects with NoSuccess. */
  openStream(facts: string, signal: AbortSignal): Promise<Response> {
    const headers = { accept: 'text/event-stream', [AGENT_HEADER]: facts }
    return this.ask('/v1/machine/wanted', { headers, signal })
  }

  /** Sends a batch, and returns the answer of the service. Rejects with NoSuccess. */
  async report(batch: ObservedBatch): Promise<'heard' | 'repeated' | 'foreign'> {
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(WITHIN_MS)
    const response = await this.ask('/v1/machine/observed', { method: 'POST', headers, body: batchText(batch), signal })
    const taken = readTaken(await textOf(response))
    if (taken === undefined)
      throw new NoSuccess(response.status, 'the answer to a batch is not one of a Matchyard service')
    return taken
  }

  /** Returns where the archive of a build is. Rejects with NoSuccess. */
  async locate(buildId: string): Promise<ArchiveLocation> {
    const signal = AbortSignal.timeout(WITHIN_MS)
    const response = await this.ask(`/v1/machine/builds/${encodeURIComponent(buildId)}`, { signal })
    const found = readLocation(await textOf(response))
    if (found === undefined)
      throw new NoSuccess(response.status, 'the answer about a build is not one of a Matchyard service')
    return found
  }

  /**
   * Asks for an archive from a byte on. Only the service itself gets the token. Rejects with NoSuccess.
   */
  download(url: string, from: number, signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> = from === 0 ? {} : { range: `bytes=${from}-` }
    return url.startsWith('/') ? this.ask(url, { headers, signal }) : answered(url, { headers, signal })
  }

  private ask(path: string, init: RequestInit & { headers?: Record<string, string> }): Promise<Response> {
    const headers = { ...init.headers, authorization: `Bearer ${this.token}` }
    return answered(`${this.url}${path}`, { ...init, headers })
  }
}

async function answered(url: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, { ...init, redirect: 'manual' })
  } catch (error) {
    throw new NoSuccess(undefined, connectionFault(error))
  }
  if (response.ok) return response
  const retryAfterMs = retryAfterOf(response.headers.get('retry-after'))
  throw new NoSuccess(response.status, await sentenceOf(response), retryAfterMs)
}

const UNKNOWN_AUTHORITY =
  'no known authority has signed its certificate; name the file of your own authority in NODE_EXTRA_CA_CERTS'

/** Sentences for the failures that a mistyped address or an unfinished installation causes, by their code. */
const CONNECTION_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no program listens at its address and port',
  ENOTFOUND: 'its host name does not exist',
  EAI_AGAIN: 'the name server of this machine does not answer',
  ERR_SSL_WRONG_VERSION_NUMBER: 'its port speaks no TLS; give the port of HTTPS, or an address with http://',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
}

/** Returns the cause of a failed connection. It never contains the address. */
export function connectionFault(error: unknown): string {
  if ((error as Error).name === 'TimeoutError') return 'no answer came in time'
  const code = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code
  if (code === undefined) return 'the connection failed'
  return `${CONNECTION_FAULTS[code] ?? 'the connection failed'} (${code})`
}

async function sentenceOf(response: Response): Promise<string> {
  const { status } = response
  if (status >= 300 && status < 400) {
    await response.body?.cancel().catch(() => {})
    return `it redirects to another address (status ${status}); set MATCHYARD_URL to that address`
  }
  const text = await textOf(response).catch(() => '')
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown }
    if (typeof detail === 'string') return detail
  } catch {
    // The answer is not one of the service, for instance the page of a proxy.
  }
  return `it answered with the status ${status}`
}

function retryAfterOf(header: string | null): number {
  const seconds = /^\d{1,6}$/.test(header ?? '') ? Number(header) : 0
  return Math.min(seconds * 1_000, MAX_RETRY_AFTER_MS)
}

/** Returns the body as text. Rejects with NoSuccess when it is too large, or breaks off. */
async function textOf({ body, status }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.byteLength
      if (bytes > MAX_ANSWER_BYTES) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw new NoSuccess(undefined, connectionFault(error))
  }
  if (bytes > MAX_ANSWER_BYTES) throw new NoSuccess(status, `its answer has more than ${MAX_ANSWER_BYTES} bytes`)
  return Buffer.concat(chunks).toString('utf8')
}
