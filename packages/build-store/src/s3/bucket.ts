import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { errorCodeOf } from './answers'
import { DEFAULT_REGION, type S3BucketOptions, type S3Credentials } from './options'
import { Patience, SILENCE_MS, within } from './patience'
import { connectionFault, isPassing, S3Refused } from './s3-errors'

const TRIES = 3
const FIRST_PAUSE_MS = 100
const MANIFOLD = 4
/** Most bytes of an answer that is read as text. The longest of these answers is a page of a list. */
const MAX_TEXT_BYTES = 8 * 1024 ** 2

export interface Sending {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /**
   * A file to send as the body of the request. The request's signature covers the file's SHA-256, so that the store can
   * refuse a body that was damaged on the way.
   */
  readonly file?: { readonly path: string; readonly bytes: number; readonly sha256: string }
  /** Bytes to send as the body of the request, in place of a file. */
  readonly content?: { readonly bytes: Uint8Array; readonly sha256: string }
}

/** One answer of the store. The caller must read its body or discard it. */
export interface S3Answer {
  readonly status: number
  readonly headers: Headers
  text(): Promise<string>
  /** Returns the body as a stream. The stream throws S3Refused when the body breaks off. */
  body(): AsyncGenerator<Uint8Array>
  discard(): Promise<void>
}

type Method = 'GET' | 'HEAD' | 'PUT' | 'DELETE'

export interface SignedUrl {
  readonly at: number
  readonly seconds: number
  readonly query: Readonly<Record<string, string>>
  /** Headers that a client must send unchanged with the URL. */
  readonly headers: Readonly<Record<string, string>>
}

/** Signed requests to one bucket. Every call throws S3Refused. */
export class Bucket {
  readonly region: string
  private readonly endpoint: URL
  private readonly publicEndpoint: URL
  private readonly pathStyle: boolean
  /** Keys for signatures, by day: a key is derived once a day. */
  private readonly signingKeys = new Map<string, ArrayBuffer>()

  constructor(private readonly options: S3BucketOptions) {
    this.region = options.region ?? DEFAULT_REGION
    this.endpoint = new URL(options.endpoint ?? `https://s3.${this.region}.amazonaws.com`)
    this.publicEndpoint = options.publicEndpoint === undefined ? this.endpoint : new URL(options.publicEndpoint)
    this.pathStyle = options.pathStyle ?? options.endpoint !== undefined
  }

  get name(): string {
    return this.options.bucket
  }

  /** Origin of the signed URLs, to which clients upload. */
  get uploadOrigin(): string {
    return this.urlOf('', this.publicEndpoint, {}).origin
  }

  /** Name of the bucket, for error messages. */
  get place(): string {
    return `the bucket ${JSON.stringify(this.name)} at ${this.endpoint.host}`
  }

  /**
   * Sends a request and returns the answer. Statuses in `expected` do not count as errors. Temporary errors are
   * retried: 3 tries in all, with pauses of 100 and 400 milliseconds.
   */
  async ask(method: Method, key: string, sending: Sending = {}, expected: readonly number[] = []): Promise<S3Answer> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.askOnce(method, key, sending, expected)
      } catch (error) {
        if (!(error instanceof S3Refused) || !isPassing(error) || tries >= TRIES) throw error
        await pause(FIRST_PAUSE_MS * MANIFOLD ** (tries - 1))
      }
    }
  }

  /** Returns a URL that a client without credentials can call, for `seconds` seconds from `at`. */
  async signedUrl(method: Method, key: string, { at, seconds, query, headers }: SignedUrl): Promise<string> {
    const url = this.urlOf(key, this.publicEndpoint, { ...query, 'X-Amz-Expires': String(seconds) })
    const datetime = new Date(at).toISOString().replace(/[:-]|\.\d{3}/g, '')
    const more = { signQuery: true, allHeaders: true, datetime }
    return (await this.sign(method, url, { ...headers }, more)).url.href
  }

  private async askOnce(
    method: Method,
    key: string,
    { query = {}, headers = {}, file, content }: Sending,
    expected: readonly number[],
  ): Promise<S3Answer> {
    const sent = {
      ...headers,
      'x-amz-content-sha256': file?.sha256 ?? content?.sha256 ?? EMPTY_SHA256,
      ...(file === undefined ? {} : { 'content-length': String(file.bytes) }),
      ...(content === undefined ? {} : { 'content-length': String(content.bytes.byteLength) }),
    }
    const signed = await this.sign(method, this.urlOf(key, this.endpoint, query), sent)
    const patience = new Patience()
    try {
      const body = file && Readable.from(patience.over(createReadStream(file.path)), { objectMode: false })
      const response = await fetch(signed.url, {
        method,
        headers: signed.headers,
        redirect: 'manual',
        signal: patience.signal,
        ...(content === undefined ? {} : { body: content.bytes }),
        ...(body === undefined ? {} : { body: Readable.toWeb(body) as ReadableStream, duplex: 'half' }),
      } as RequestInit)
      const answer = this.answerOf(response, method, patience)
      if (response.ok || expected.includes(response.status)) return answer
      throw await this.refusalOf(answer, method)
    } catch (error) {
      patience.end()
      throw error instanceof S3Refused ? error : this.broken(method, error)
    }
  }

  private answerOf(response: Response, method: Method, patience: Patience): S3Answer {
    const chunks = async function* (bucket: Bucket) {
      try {
        if (response.body !== null) yield* patience.over(response.body as unknown as AsyncIterable<Uint8Array>)
      } catch (error) {
        throw bucket.broken(method, error)
      } finally {
        patience.end()
      }
    }
    return {
      status: response.status,
      headers: response.headers,
      body: () => chunks(this),
      text: async () => {
        const parts: Uint8Array[] = []
        let bytes = 0
        for await (const chunk of chunks(this)) {
          bytes += chunk.length
          if (bytes > MAX_TEXT_BYTES) throw new S3Refused(`${this.place} talks without end`, 'TooLong', undefined)
          parts.push(chunk)
        }
        return Buffer.concat(parts).toString('utf8')
      },
      discard: async () => {
        patience.end()
        await response.body?.cancel().catch(() => {})
      },
    }
  }

  /** Returns the error for an answer with an error status; reads the body of the answer. */
  async refusalOf(answer: S3Answer, method: Method): Promise<S3Refused> {
    const { status } = answer
    const code = errorCodeOf(await answer.text().catch(() => '')) ?? `HTTP ${status}`
    return new S3Refused(`${this.place} answers ${method} with ${status} (${code})`, code, status)
  }

  private broken(method: Method, error: unknown): S3Refused {
    const fault = connectionFault(error)
    return new S3Refused(`${this.place} does not answer ${method} (${fault})`, fault, undefined, { cause: error })
  }

  private async sign(method: Method, url: URL, headers: Record<string, string>, more: object = {}) {
    const { accessKeyId, secretAccessKey, sessionToken } = await this.credentials()
    return new AwsV4Signer({
      method,
      url: url.href,
      headers,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
      service: 's3',
      region: this.region,
      cache: this.signingKeys,
      ...more,
    }).sign()
  }

  /**
   * Returns the credentials. The function that supplies them may fail too. Its error message is left out, because it
   * may contain a secret.
   */
  private async credentials(): Promise<S3Credentials> {
    const { credentials } = this.options
    if (typeof credentials !== 'function') return credentials
    try {
      return await within(SILENCE_MS, credentials())
    } catch (error) {
      const fault = connectionFault(error)
      const message = `for ${this.place} no credentials can be had (${fault})`
      throw new S3Refused(message, 'NoCredentials', undefined, { cause: error })
    }
  }

  private urlOf(key: string, endpoint: URL, query: Readonly<Record<string, string>>): URL {
    const url = new URL(endpoint)
    if (!this.pathStyle) url.hostname = `${this.name}.${url.hostname}`
    const base = url.pathname.replace(/\/$/, '')
    const path = key.split('/').map(encodeURIComponent).join('/')
    const bucket = this.pathStyle ? `/${encodeURIComponent(this.name)}` : ''
    // The path of the bucket itself has no slash at its end, because some stores compute another signature for a path
    // with this slash.
    url.pathname = `${base}${bucket}${path === '' ? '' : `/${path}`}`
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return url
  }
}

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
