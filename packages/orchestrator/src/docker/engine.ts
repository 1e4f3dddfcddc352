import type Dockerode from 'dockerode'

/** Where the engine listens when nothing else is said. */
export const DEFAULT_ENGINE_HOST = 'unix:///var/run/docker.sock'

/** An answer is expected within this time; pulling, stopping and listening to events take as long as they take. */
const PATIENCE_MS = 60_000

/** The engine does not answer, or not any more: what was asked may or may not have happened. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable'
}

export interface Engine {
  /** Calls that answer soon. */
  readonly api: Dockerode
  /** Calls that take their time. */
  readonly patient: Dockerode
}

/**
 * A client of the engine at `host` (`unix:///path`, `tcp://host:port` or `http(s)://host:port`); connects to nothing yet.
 * Throws when the address is none, or when the optional peer `dockerode` is not installed.
 */
export async function engineAt(host: string): Promise<Engine> {
  const address = addressOf(host)
  const { default: Docker } = await import('dockerode').catch((cause: unknown) => {
    throw new Error('containers need the package "dockerode"; install it beside this one', { cause })
  })
  return { api: new Docker({ ...address, timeout: PATIENCE_MS }), patient: new Docker({ ...address }) }
}

type Address =
  // Without a host of its own the client would take one from the environment, and mean that.
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

/** The status that the engine answered with; undefined when it did not answer. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined

/** The engine's own words on one line, or what stood between it and us. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const said = 'json' in error ? (error.json as { message?: unknown } | null)?.message : undefined
  const text = typeof said === 'string' && said !== '' ? said : error.message
  return text.replace(/\s+/g, ' ').trim().slice(0, 500)
}

/** Asks the engine; that it cannot be reached is told apart from everything it may answer. */
export async function asking<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (statusOf(error) !== undefined || !isConnectionTrouble(error)) throw error
    // Where the engine listens is nobody's business who only wants a game server: that is in the cause.
    throw new EngineUnavailable('the container engine does not answer', { cause: error })
  }
}

/** The same, where an answer of one of these statuses is as good as none. */
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
