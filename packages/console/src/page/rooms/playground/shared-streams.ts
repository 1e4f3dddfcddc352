import type { LobbySnapshot } from '@matchyard/client'
import { effect } from '@preact/signals'
import type { Store } from '../../data/store'

const EVENTS = /^\/v1\/lobbies\/([^/]+)\/events$/
const ALIVE_MS = 10_000

/**
 * Returns an event stream of a lobby that is fed by the project's feed; undefined for any other path. A browser has six
 * connections to one service over HTTP/1, and each stream takes one. Therefore only the first few test players have a
 * real event stream, and the others use this stream.
 */
export function sharedStream(
  store: Store,
  pathname: string,
  signal: AbortSignal | null | undefined,
): Response | undefined {
  const id = EVENTS.exec(pathname)?.[1]
  if (id === undefined) return undefined
  const { things } = store.live('lobby')
  const encoder = new TextEncoder()
  let stop = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let last: LobbySnapshot | undefined
      const tell = (name: string, lobby: LobbySnapshot) =>
        controller.enqueue(encoder.encode(`id: ${lobby.version}\nevent: ${name}\ndata: ${JSON.stringify(lobby)}\n\n`))
      const unfollow = effect(() => {
        void things.revision.value
        const lobby = things.get(decodeURIComponent(id))
        if (lobby === undefined) {
          if (last === undefined) return
          tell('lobby_deleted', { ...last, version: last.version + 1 })
          queueMicrotask(() => stop())
        } else if (lobby.version !== last?.version) {
          tell(last === undefined ? 'connected' : 'lobby_updated', lobby)
          last = lobby
        }
      })
      const alive = setInterval(() => controller.enqueue(encoder.encode(': alive\n\n')), ALIVE_MS)
      stop = () => {
        stop = () => {}
        unfollow()
        clearInterval(alive)
        try {
          controller.close()
        } catch {}
      }
      signal?.addEventListener('abort', () => {
        stop = () => {}
        unfollow()
        clearInterval(alive)
        try {
          controller.error(signal.reason)
        } catch {}
      })
    },
    cancel: () => stop(),
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
