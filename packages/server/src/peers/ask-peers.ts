import { type PeerLogQuery, PeerSilent, type Peers, type ServerLogLine } from '@matchyard/core/ports'
import type { PeerTokens } from '@matchyard/node'
import { linesOf, PEER_PATH } from './question'

const WITHIN_MS = 5_000
/** Maximum number of bytes of another node's answer, equal to the maximum of the API's answers. */
const MAX_ANSWER_BYTES = 4 * 1024 ** 2

export interface PeersOptions {
  /** URL at which the other nodes call this node. */
  readonly url: string | undefined
  readonly tokens: Pick<PeerTokens, 'issue'>
  /** Milliseconds within which the other node must have answered. Default: 5,000. */
  readonly withinMs?: number
}

/** Returns a client that asks other nodes over HTTP. It does not follow redirects. */
export const askPeers = ({ url, tokens, withinMs = WITHIN_MS }: PeersOptions): Peers => ({
  url,
  async logs(peerUrl, query) {
    const authorization = `Bearer ${await tokens.issue(query)}`
    const signal = AbortSignal.timeout(withinMs)
    try {
      const headers = { accept: 'application/json', authorization }
      return await read(await fetch(`${peerUrl}${PEER_PATH}`, { headers, redirect: 'manual', signal }), query)
    } catch (error) {
      if (error instanceof PeerSilent) throw error
      if (signal.aborted) throw new PeerSilent(`none within ${withinMs / 1_000} s`)
      throw new PeerSilent(`the connection failed${codeOf(error)}`)
    }
  },
})

async function read(response: Response, { limit }: PeerLogQuery): Promise<ServerLogLine[]> {
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new PeerSilent(reasonOf(response.status))
  }
  const lines = linesOf(parsed(await textOf(response)), limit)
  if (lines === undefined) throw new PeerSilent('what answers at its PEER_URL is no node')
  return lines
}

/** Returns the body as text. Throws PeerSilent when the body is larger than 4 MiB. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_ANSWER_BYTES) throw new PeerSilent(`more than ${MAX_ANSWER_BYTES} bytes came`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function reasonOf(status: number): string {
  if (status === 401)
    return 'it does not take the question; do both have the same MATCHYARD_SECRET, and the right time?'
  if (status === 503) return 'it has too much to do, or is another node'
  return `what answers at its PEER_URL said ${status}`
}

/**
 * Returns the system's error code, for example ` (ECONNREFUSED)`; an empty string if the error has no code. The result
 * never contains the address.
 */
function codeOf(error: unknown): string {
  const code = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code
  return code === undefined ? '' : ` (${code})`
}
