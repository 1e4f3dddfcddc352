import type { Exchange } from '../exchange/exchange'

/** The calls that wait for something to happen: each ends at once when its caller goes away, all of them when the service does. */
export class OpenWaits {
  private readonly open = new Set<AbortController>()
  private closing = false

  /** How many wait. */
  get size(): number {
    return this.open.size
  }

  /** Ends every wait, and later ones as they begin. */
  closeAll(): void {
    this.closing = true
    for (const wait of this.open) wait.abort()
  }

  /** Runs what waits; its signal says when nobody does any more. */
  async run<T>(exchange: Exchange, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const wait = new AbortController()
    const end = () => wait.abort()
    const stopListening = onGone(exchange, end)
    this.open.add(wait)
    // A wait that ended before gets no further signal.
    if (this.closing) end()
    try {
      return await work(wait.signal)
    } finally {
      this.open.delete(wait)
      stopListening()
    }
  }
}

/** Calls back when the sender of the request is gone; at once if it is gone already. */
function onGone({ outgoing, gone }: Exchange, callback: () => void): () => void {
  if (outgoing === undefined) {
    if (gone?.aborted) callback()
    gone?.addEventListener('abort', callback)
    return () => gone?.removeEventListener('abort', callback)
  }
  const { socket } = outgoing.req
  // A response that waits behind another one of its connection is not told when that ends.
  if (outgoing.destroyed || socket.destroyed) callback()
  outgoing.on('close', callback)
  socket.on('close', callback)
  return () => {
    outgoing.off('close', callback)
    socket.off('close', callback)
  }
}
