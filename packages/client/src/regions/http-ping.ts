import type { Platform } from '../platform'
import { SAMPLES } from '../times'

/** Samples in milliseconds, by the key of their beacon. */
export type Sampled = readonly [key: string, samples: readonly number[]]

/** Option of `fetch` that neither caches nor sends cookies. Not all types of `fetch` have all of it. */
const PLAIN: object = { cache: 'no-store', credentials: 'omit', redirect: 'error' }

/** Measures the time of requests to each URL, one after another. A URL that fails has the samples until then. */
export async function pingByHttp(
  urls: Iterable<string>,
  timeoutMs: number,
  { fetch, after }: Platform,
): Promise<Sampled[]> {
  const abort = new AbortController()
  const stop = after(timeoutMs, () => abort.abort())
  const ping = async (url: string): Promise<Sampled> => {
    const samples: number[] = []
    try {
      // The first request opens the connection, so it does not count.
      for (let sent = 0; sent <= SAMPLES; sent++) {
        const began = performance.now()
        const { ok, answeredAt } = await answerOf(url)
        if (!ok) break
        if (sent > 0) samples.push(networkTime(url, began) ?? answeredAt - began)
      }
    } catch {}
    return [url, samples]
  }
  const answerOf = async (url: string) => {
    const response = await fetch(url, { ...PLAIN, signal: abort.signal })
    const answeredAt = performance.now()
    // The runtime writes the entry of Resource Timing when the body has ended.
    await response.text()
    return { ok: response.ok, answeredAt }
  }
  try {
    return await Promise.all([...urls].map(ping))
  } finally {
    stop()
  }
}

/** Times of a request in milliseconds; 0 if the beacon does not allow to read them. */
interface ResourceTiming {
  readonly startTime: number
  readonly requestStart: number
  readonly responseStart: number
}

/**
 * Returns the time from the request to the answer as the browser measured it, without the delays of the page. Returns
 * undefined where there is no such entry, or the beacon does not allow it.
 */
function networkTime(url: string, since: number): number | undefined {
  const entries = performance.getEntriesByName?.(url, 'resource') ?? []
  const entry = entries[entries.length - 1] as ResourceTiming | undefined
  if (entry === undefined || entry.startTime < since || !entry.requestStart) return undefined
  return entry.responseStart - entry.requestStart
}
