import { z } from 'zod'
import { ConfigurationError } from '../config/configuration-error'
import type { TopNow } from '../top/top'

/** Timeout in milliseconds. A healthy process answers much faster. */
const WITHIN_MS = 10_000

const figures = z.object({
  calls_per_second: z.number(),
  refused_per_second: z.number(),
  time_share: z.number(),
  bytes_in_per_second: z.number(),
  bytes_out_per_second: z.number(),
})
const rows = z.array(
  z.object({
    name: z.string().nullable(),
    last_10_s: figures,
    last_minute: figures,
    open_streams: z.number(),
    waiting_bytes: z.number(),
  }),
)
const pageSchema = z.object({ cpu: z.number(), rows: z.object({ project: rows, key: rows, address: rows }) })

export interface TopAddress {
  readonly url: string
  readonly token: string | undefined
}

/**
 * Returns the address of `/top`: below `MATCHYARD_URL`, or below the address at which a service with these variables
 * listens.
 */
export function topAddress({ MATCHYARD_URL, HOST, PORT, METRICS_TOKEN }: NodeJS.ProcessEnv): TopAddress {
  const host = HOST === undefined || HOST === '' || /^(0\.0\.0\.0|::|\[::\])$/.test(HOST) ? '127.0.0.1' : HOST
  const named = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const base = MATCHYARD_URL || `http://${named}:${PORT || '8080'}`
  if (!URL.canParse(base)) throw new ConfigurationError(`MATCHYARD_URL: ${JSON.stringify(base)} is no address`)
  return { url: new URL('top', base.endsWith('/') ? base : `${base}/`).href, token: METRICS_TOKEN || undefined }
}

/**
 * Returns the busiest callers of a running node. Throws ConfigurationError when the node does not answer, requires
 * another token, or sends an unexpected answer.
 */
export async function readTop({ url, token }: TopAddress): Promise<TopNow> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(WITHIN_MS) }).catch(() => {
    throw new ConfigurationError(`nothing answers at ${url}; set MATCHYARD_URL to where the service is`)
  })
  if (answer.status === 401) {
    throw new ConfigurationError(
      `${url} needs a token: set METRICS_TOKEN to that of the service; a service without one does not answer here`,
    )
  }
  const read = answer.ok ? pageSchema.safeParse(await answer.json().catch(() => undefined)) : undefined
  if (read?.success) return read.data
  throw new ConfigurationError(`${url} answered ${answer.status}, and not as a Matchyard of this version does`)
}
