import type { Exchange } from '../exchange/exchange'

/**
 * Calls that wait for a change. A wait ends at once when its caller disconnects, and all waits end when the service
 * shuts down.
 */
export class OpenWaits {
  private readonly open = new Set<AbortController>()
  private closing = false

  /** Number of waiting calls. */
  get size(): number {
    return this.open.size
  }

  /** Ends all current waits at once. A wait that begins later ends at once too. */
  closeAll(): void {
    this.closing = true
    for (const wait of this.open) wait.abort()
  }

  /** Runs `work`. The signal of `work` aborts when the caller disconnects or the service shuts down. */
  async run<T>(exchange: Exchange, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const wait = new AbortController()
    const end = () => wait.abort()
    const stopListening = onGone(exchange, end)
    this.open.add(wait)
    // `closeAll` ends only the waits that it finds. A wait that begins later must therefore end itself.
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
 * Calls `callback` when the caller disconnects, or at once if the caller has disconnected already. Returns a function
 * that removes the listener.
 */
function onGone({ outgoing, gone }: Exchange, callback: () => void): () => void {
  if (outgoing === undefined) {
    if (gone?.aborted) callback()
    gone?.addEventListener('abort', callback)
    return () => gone?.removeEventListener('abort', callback)
  }
  const { socket } = outgoing.req
  // A response that is queued behind another one on its connection gets no `close` event when the connection ends.
  if (outgoing.destroyed || socket.destroyed) callback()
  outgoing.on('close', callback)
  socket.on('close', callback)
  return () => {
    outgoing.off('close', callback)
    socket.off('close', callback)
  }
}
