import type Dockerode from 'dockerode'

/** The default address of the engine. */
export const DEFAULT_ENGINE_HOST = 'unix:///var/run/docker.sock'

/**
 * Milliseconds until a call to the engine times out. Calls of the client `patient` (pulls, stops, events) have no
 * timeout.
 */
const PATIENCE_MS = 60_000

/**
 * Error when the engine does not respond, or stopped responding during a call. The requested change may have happened
 * or not.
 */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable'
}

export interface Engine {
  /** The client for calls to the engine that end soon; it has a timeout. */
  readonly api: Dockerode
  /** The client for calls to the engine that may take long; it has no timeout. */
  readonly patient: Dockerode
}

/**
 * Returns clients of the engine at `host` (`unix:///path`, `tcp://host:port` or `http(s)://host:port`), without
 * connecting. Rejects when the address is invalid, or when the optional peer dependency `dockerode` is not installed.
 */
export async function engineAt(host: string): Promise<Engine> {
  const address = addressOf(host)
  const { default: Docker } = await import('dockerode').catch((cause: unknown) => {
    throw new Error(
      'containers need the package "dockerode"; install it as this program was installed, for example with: npm install --global dockerode',
      { cause },
    )
  })
  return { api: new Docker({ ...address, timeout: PATIENCE_MS }), patient: new Docker({ ...address }) }
}

type Address =
  // If `host` were not set, the client would use the host in the environment variables.
  | { readonly socketPath: string; readonly host: '' }
  | { readonly protocol: 'http' | 'https'; readonly host: string; readonly port: number }

export function addressOf(host: string): Address {
  if (host.startsWith('unix:///')) return { socketPath: host.slice('unix://'.length), host: '' }
  const url = URL.canParse(host) ? new URL(host) : undefined
  const protocols = { 'tcp:': 'http', 'http:': 'http', 'https:': 'https' } as const
  const protocol = protocols[url?.protocol as keyof typeof protocols]
  if (url === undefined || protocol === undefined || url.hostname === '') {
    throw new TypeError(
      `not the address of a container engine: ${JSON.stringify(host)}; give one like unix:///run/docker.sock`,
    )
  }
  return { protocol, host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 2375) }
}

/** Returns the HTTP status of the engine's response; undefined when there was no response. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined

/** Returns the error message of the engine or of the failed connection, as one line of at most 500 characters. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const said = 'json' in error ? (error.json as { message?: unknown } | null)?.message : undefined
  const text = typeof said === 'string' && said !== '' ? said : error.message
  return text.replace(/\s+/g, ' ').trim().slice(0, 500)
}

/** Awaits a call to the engine. Rejects with `EngineUnavailable` when the engine is unreachable. */
export async function asking<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (statusOf(error) !== undefined || !isConnectionTrouble(error)) throw error
    // Callers of launches must not see the address of the engine, so the address is only in the `cause` of the error.
    throw new EngineUnavailable('the container engine does not answer', { cause: error })
  }
}

/** Awaits a call like `asking`, but returns undefined when the engine responds with one of these HTTP statuses. */
export async function askingUnless<T>(call: Promise<T>, ...statuses: readonly number[]): Promise<T | undefined> {
  try {
    return await asking(call)
  } catch (error) {
    if (statuses.includes(statusOf(error) ?? 0)) return undefined
    throw error
  }
}

const TROUBLE = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EACCES', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND']

const isConnectionTrouble = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && TROUBLE.includes(String(error.code))
