import { createHash } from 'node:crypto'
import { ServiceError } from '@matchyard/core'
import { batchText, readTaken, type TellHolder } from '@matchyard/http'
import type { PeerTokens } from '@matchyard/node'
import { PEER_BATCH_PATH } from './question'

const WITHIN_MS = 5_000
/** Maximum characters of the other node's answer. */
const MAX_ANSWER = 1_024

/** Options of the calls to the node that has the stream of an agent. */
export interface TellHolderOptions {
  readonly tokens: Pick<PeerTokens, 'issueBatch'>
  /** Milliseconds within which the other node must have answered. Default: 5,000. */
  readonly withinMs?: number
}

/** Returns SHA-256 in hexadecimal digits. */
export const sha256Of = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Returns a function that passes the batch of an agent to the node at a URL. It does not follow redirects. The function
 * rejects with `UNAVAILABLE` when that node gives no answer.
 */
export const tellHolder =
  ({ tokens, withinMs = WITHIN_MS }: TellHolderOptions): TellHolder =>
  async (url, { machineId, batch }) => {
    const body = batchText(batch)
    const headers = {
      authorization: `Bearer ${await tokens.issueBatch({ url, machineId, sha256: sha256Of(body) })}`,
      'content-type': 'application/json',
    }
    const signal = AbortSignal.timeout(withinMs)
    const answer = await fetch(`${url}${PEER_BATCH_PATH}`, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal,
    })
      .then(read)
      .catch(() => undefined)
    if (answer !== undefined) return answer
    throw new ServiceError('UNAVAILABLE', 'the node with the stream of this machine gave no answer; try again shortly')
  }

async function read(response: Response): Promise<Awaited<ReturnType<TellHolder>> | undefined> {
  if (response.status === 404) {
    await response.body?.cancel()
    return 'elsewhere'
  }
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString()
    if (text.length > MAX_ANSWER) return undefined
  }
  return response.status === 200 ? readTaken(text) : undefined
}
