import { type Matchyard, ServiceError } from '@matchyard/core'
import type { Logger } from '@matchyard/core/ports'
import { type AnsweredRequest, addressOf, type HttpEnv, type MatchyardApp } from '@matchyard/http'
import type { PeerTokens } from '@matchyard/node'
import { type Context, Hono } from 'hono'
import { pathStart } from '../path-start'
import { PEER_BATCH_PATH, PEER_PATH, type PeerAnswer } from './question'
import { takeBatch, tokenOf } from './take-batch'

/** Operation names of answers to other nodes in the log and in metrics. */
const LOGS = 'peer.serverLogs'
const BATCH = 'peer.agentBatch'

export interface AnsweredPeers {
  readonly matchyard: Pick<Matchyard, 'answerPeer' | 'agents'>
  readonly tokens: Pick<PeerTokens, 'read' | 'readBatch'>
  /** URL at which other nodes reach this node. */
  readonly url: string
  readonly logger: Logger
  /** Number of trusted proxies in front of the service. */
  readonly trustedProxies: number
  /** Returns the time in milliseconds. */
  readonly now: () => number
  /** Called after each answer. */
  readonly onAnswer: (request: AnsweredRequest) => void
}

type Served = Pick<MatchyardApp, 'fetch' | 'answer'>

/**
 * Returns the service with the routes for other nodes. A caller without a valid token of the installation gets the
 * status 401 and no other information.
 */
export function withPeers(
  app: Pick<MatchyardApp, 'refusePage'>,
  door: Served,
  { trustedProxies, now, onAnswer, ...asked }: AnsweredPeers,
): Served {
  const front = new Hono<HttpEnv>()
  const told =
    (operation: string, answered: (c: Context<HttpEnv>) => Promise<Response>) => async (c: Context<HttpEnv>) => {
      const startedAt = now()
      const response = (await app.refusePage(c)) ?? (await answered(c))
      const sent = { incoming: c.env?.incoming, header: (name: string) => c.req.header(name) }
      onAnswer({
        source: { address: addressOf(sent, trustedProxies) },
        bytesIn: Number(c.req.header('content-length') ?? 0),
        bytesOut: Number(response.headers.get('content-length') ?? 0),
        operation,
        method: c.req.raw.method,
        status: response.status,
        durationMs: now() - startedAt,
        requestId: '',
      })
      return response
    }
  front.get(
    PEER_PATH,
    told(LOGS, (c) => answer(c, asked)),
  )
  front.post(
    PEER_BATCH_PATH,
    told(BATCH, (c) => takeBatch(c, asked)),
  )
  front.notFound((c) => door.fetch(c.req.raw, c.env))
  return {
    answer: (incoming, outgoing) => door.answer(incoming, outgoing),
    fetch: (request, env) => (isForPeers(request.url) ? front : door).fetch(request, env),
  }
}

/** Whether a URL is for other nodes. */
const isForPeers = (url: string): boolean => [PEER_PATH, PEER_BATCH_PATH].includes(url.slice(pathStart(url)))

/**
 * Sends the answer to a question of another node. Only nodes read the answer, so an error is sent as a status without a
 * text.
 */
async function answer(
  c: Context<HttpEnv>,
  { matchyard, tokens, logger }: Pick<AnsweredPeers, 'matchyard' | 'tokens' | 'logger'>,
): Promise<Response> {
  const token = tokenOf(c)
  const query = token === undefined ? undefined : await tokens.read(token)
  if (query === undefined) return c.body(null, 401)
  try {
    const text = JSON.stringify({ lines: await matchyard.answerPeer(query) } satisfies PeerAnswer)
    return c.body(text, 200, {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      'cache-control': 'no-store',
    })
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'UNAVAILABLE') return c.body(null, 503)
    logger.error('a log was not read for another node', { error: String(error) })
    return c.body(null, 500)
  }
}
