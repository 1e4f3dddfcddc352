// Bodies have no type: every assertion names the fields that it expects.
export type Body = ReturnType<typeof JSON.parse>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Body
}

export interface Call {
  /** API key. */
  readonly key?: string
  /** Session token, or any other bearer token. */
  readonly token?: string
  readonly player?: string
  readonly body?: unknown
  readonly raw?: NonNullable<RequestInit['body']>
  readonly headers?: Record<string, string>
}

/** Returns a function that calls a service over its socket: `call('POST /v1/lobbies', { key, player, body })`. */
export function api(baseUrl: string) {
  return async (what: string, options: Call = {}): Promise<Answer> => {
    const [method = 'GET', path = '/'] = what.split(' ')
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const response = await fetch(path.startsWith('http') ? path : baseUrl + path, {
      method,
      headers: {
        ...(options.key === undefined ? {} : { 'api-key': options.key }),
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...(options.player === undefined ? {} : { 'x-player-id': options.player }),
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    const json = (response.headers.get('content-type') ?? '').includes('json')
    return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : undefined }
  }
}

export type Api = ReturnType<typeof api>
