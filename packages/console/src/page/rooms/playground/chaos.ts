import { signal } from '@preact/signals'
import { network, pathOf } from '../../data/network'
import type { Store } from '../../data/store'
import { sharedStream } from './shared-streams'

/** Whether the test players' network is slow. */
export const isSlow = signal(false)

const SLOW_MS = 1_500
const streams = new Set<AbortController>()

/** Cuts all event streams of the test players, and returns their number. The clients reconnect by themselves. */
export function dropStreams(): number {
  const count = streams.size
  for (const stream of streams) stream.abort(new Error('the network broke off'))
  streams.clear()
  return count
}

/** Returns the `fetch` of one test player: the page's `fetch` with the chosen faults. */
export function playersFetch(store: Store, hasOwnStream: boolean): typeof fetch {
  return async (input, init = {}) => {
    const pathname = pathOf(String(input))
    if (isSlow.value) await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
    if (!pathname.endsWith('/events')) return network().fetch(String(input), init)
    const cut = new AbortController()
    streams.add(cut)
    // A stream that its client has closed is removed from the streams that can be cut.
    init.signal?.addEventListener('abort', () => streams.delete(cut), { once: true })
    const both = AbortSignal.any(init.signal == null ? [cut.signal] : [cut.signal, init.signal])
    const shared = hasOwnStream ? undefined : sharedStream(store, pathname, both)
    return shared ?? network().fetch(String(input), { ...init, signal: both })
  }
}
