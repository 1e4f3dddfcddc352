import type { Exchange } from '../exchange/exchange'

/**
 * Calls that wait for a change. A wait ends at once when its caller is gone, and all waits end when the service shuts
 * down.
 */
export class OpenWaits {
  private readonly open = new Set<AbortController>()
  private closing = false

  /** Number of waiting calls. */
  get size(): number {
    return this.open.size
  }

  /** Ends every wait, and later waits at once. */
  closeAll(): void {
    this.closing = true
    for (const wait of this.open) wait.abort()
  }

  /** Runs `work`. Its signal aborts when the caller is gone or the service shuts down. */
  async run<T>(exchange: Exchange, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const wait = new AbortController()
    const end = () => wait.abort()
    const stopListening = onGone(exchange, end)
    this.open.add(wait)
    // `closeAll` was called before this wait began and will not end it.
    if (this.closing) end()
    try {
      return await work(wait.signal)
    } finally {
      this.open.delete(wait)
      stopListening()
    }
  }
}

/**
 * Runs the callback when the caller is gone, at once if it is gone already. Returns a function that stops listening.
 */
function onGone({ outgoing, gone }: Exchange, callback: () => void): () => void {
  if (outgoing === undefined) {
    if (gone?.aborted) callback()
    gone?.addEventListener('abort', callback)
    return () => gone?.removeEventListener('abort', callback)
  }
  const { socket } = outgoing.req
  // A response that is queued behind another one of its connection gets no `close` event when the connection ends.
  if (outgoing.destroyed || socket.destroyed) callback()
  outgoing.on('close', callback)
  socket.on('close', callback)
  return () => {
    outgoing.off('close', callback)
    socket.off('close', callback)
  }
}
