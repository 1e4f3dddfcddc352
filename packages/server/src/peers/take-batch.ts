import type { Matchyard } from '@matchyard/core'
import { AGENT_BATCH } from '@matchyard/core/domain'
import type { Logger } from '@matchyard/core/ports'
import { type HttpEnv, readBatch } from '@matchyard/http'
import type { PeerTokens } from '@matchyard/node'
import type { Context } from 'hono'
import { sha256Of } from './tell-holder'

/** Maximum number of batches of other nodes that are read at the same time. */
const AT_ONCE = 16
let underWay = 0

interface Asked {
  readonly matchyard: Pick<Matchyard, 'agents'>
  readonly tokens: Pick<PeerTokens, 'readBatch'>
  readonly url: string
  readonly logger: Logger
}

/** Returns the token that a caller sent; undefined without one. */
export const tokenOf = (c: Context<HttpEnv>): string | undefined =>
  /^Bearer (\S{1,4096})$/.exec(c.req.header('authorization') ?? '')?.[1]

/**
 * Takes the batch of an agent from another node, which has checked the agent's token. The token of the call is for this
 * node and these bytes. A batch of an agent whose stream is not here gets the status 404, and is passed to no third node.
 */
export async function takeBatch(c: Context<HttpEnv>, { matchyard, tokens, url, logger }: Asked): Promise<Response> {
  const token = tokenOf(c)
  const proof = token === undefined ? undefined : await tokens.readBatch(token)
  if (proof === undefined || proof.url !== url) return c.body(null, 401)
  if (underWay >= AT_ONCE) return c.body(null, 503)
  underWay++
  try {
    const bytes = await bytesOf(c)
    if (bytes === undefined) return c.body(null, 413)
    if (sha256Of(bytes) !== proof.sha256) return c.body(null, 401)
    const batch = readBatch(Buffer.from(bytes).toString('utf8'))
    if (batch === undefined) return c.body(null, 400)
    const taken = matchyard.agents.hear({ machineId: proof.machineId, batch })
    return taken === 'elsewhere' ? c.body(null, 404) : c.json({ taken })
  } catch (error) {
    logger.error('a batch was not taken from another node', { error: String(error) })
    return c.body(null, 500)
  } finally {
    underWay--
  }
}

async function bytesOf(c: Context<HttpEnv>): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of c.req.raw.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > AGENT_BATCH.bytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
