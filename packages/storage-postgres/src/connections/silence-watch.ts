import type { Duplex } from 'node:stream'
import type { ClientBase } from 'pg'

/** Number of checks within the maximum time of silence. */
const LOOKS = 20

interface Watched {
  readonly client: ClientBase
  read: number
  unsent: number
  quietLooks: number
}

export const streamOf = (client: ClientBase) =>
  (client as unknown as { readonly connection: { readonly stream: Duplex & { readonly bytesRead: number } } })
    .connection.stream

/**
 * Destroys connections on which a caller waits and no byte moves. A network may fail without a message, and TCP reports
 * such a failure only after a quarter of an hour. A byte from the server, or a byte that the server accepted, shows
 * that the connection works. A statement that is only slow is not ended by this class, but by the server's own time
 * limit. Silence is counted in checks, not by the clock. Bytes that arrived while this process was paused or busy are
 * in the socket, and are read before the next check.
 */
export class SilenceWatch {
  readonly #watched = new Set<Watched>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(
    /**
     * Milliseconds of silence after which a connection is destroyed; the check may come up to a twentieth of this time
     * later.
     */
    readonly limitMs: number,
    private readonly onSilent: () => void,
  ) {}

  /** Watches a connection while `work` waits for it. When the connection is destroyed, the pending statements fail. */
  async during<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
    const end = this.begin(client)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** Watches a connection until the returned function is called. */
  begin(client: ClientBase): () => void {
    const watched: Watched = { client, read: -1, unsent: -1, quietLooks: 0 }
    this.#watched.add(watched)
    this.#timer ??= setInterval(() => this.#look(), this.limitMs / LOOKS).unref()
    return () => this.#watched.delete(watched)
  }

  isWatching(client: ClientBase): boolean {
    for (const watched of this.#watched) if (watched.client === client) return true
    return false
  }

  #look(): void {
    if (this.#watched.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    for (const watched of this.#watched) {
      const { bytesRead, writableLength } = streamOf(watched.client)
      if (bytesRead !== watched.read || writableLength < watched.unsent) watched.quietLooks = 0
      else watched.quietLooks++
      watched.read = bytesRead
      watched.unsent = writableLength
      if (watched.quietLooks < LOOKS) continue
      this.#watched.delete(watched)
      streamOf(watched.client).destroy(new Error(`no data came from the server for ${this.limitMs} ms`))
      this.onSilent()
    }
  }
}
