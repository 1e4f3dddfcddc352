import { Agent, request } from 'node:http'

export interface Answer<T = Record<string, unknown>> {
  readonly status: number
  readonly body: T
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly key?: string
  readonly player?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An HTTP client with its own open connections, so that concurrent calls really reach the service at the same time. */
export class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 256 })

  constructor(
    readonly baseUrl: string,
    private readonly key?: string,
  ) {}

  async call<T = Record<string, unknown>>(call: Call): Promise<Answer<T>> {
    const text = call.body === undefined ? undefined : JSON.stringify(call.body)
    const key = call.key ?? this.key
    const headers = {
      ...(key === undefined ? {} : { 'api-key': key }),
      ...(call.player === undefined ? {} : { 'x-player-id': call.player }),
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
      ...call.headers,
    }
    return new Promise((resolve, reject) => {
      const sent = request(
        new URL(call.path, this.baseUrl),
        { method: call.method, headers, agent: this.agent },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const answered = Buffer.concat(chunks).toString()
            const body = (answered === '' ? {} : JSON.parse(answered)) as T
            resolve({ status: response.statusCode ?? 0, body, headers: response.headers })
          })
        },
      )
      sent.on('error', reject)
      sent.end(text)
    })
  }

  close(): void {
    this.agent.destroy()
  }
}
