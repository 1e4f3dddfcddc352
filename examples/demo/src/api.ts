/** Where the service is and the keys to it; what `matchyard dev` writes into credentials.json. */
export interface Credentials {
  readonly base_url: string
  readonly client_key: string
  readonly server_key: string
}

export interface Lobby {
  readonly lobby_id: string
  readonly status: string
  readonly invite_code: string | null
  readonly match_id: string | null
  /** A match that the players are asked about. */
  readonly proposal?: { readonly match_id: string; readonly accepted: number; readonly needed: number }
  /** Why it is back in `waiting`. */
  readonly last_exit: { readonly reason: string; readonly detail: string } | null
  readonly server: { readonly instance_id: string; readonly network_ports: readonly PortMapping[] } | null
}

export interface PortMapping {
  readonly name: string
  readonly host: string
  readonly external_port: number
}

/** One call; an answer other than 2xx is an error that says what the service said. */
export async function call<T>(
  credentials: Credentials,
  method: string,
  path: string,
  options: { readonly player?: string; readonly body?: unknown; readonly backend?: boolean } = {},
): Promise<T> {
  const headers: Record<string, string> = {
    'api-key': options.backend === true ? credentials.server_key : credentials.client_key,
  }
  if (options.player !== undefined) headers['x-player-id'] = options.player
  if (options.body !== undefined) headers['content-type'] = 'application/json'
  const body = options.body === undefined ? {} : { body: JSON.stringify(options.body) }
  const answer = await fetch(new URL(path, credentials.base_url), { method, headers, ...body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}
