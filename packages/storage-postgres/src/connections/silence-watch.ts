import type { Duplex } from 'node:stream'
import type { ClientBase } from 'pg'

/** Looks in the time that may pass without a sign of life. */
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
 * Destroys connections on which somebody waits and nothing comes: a network may fall silent without a word, and TCP tells of it
 * after a quarter of an hour. Any byte from the server, or one more that it has taken, is a sign of life, so that what is slow
 * and alive is left to the server's own limit. Silence is counted in looks, not by the clock: what came while this
 * process was paused, or its event loop was held up, lies in the socket and is read before the next look.
 */
export class SilenceWatch {
  readonly #watched = new Set<Watched>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(
    /** Milliseconds without a sign of life; a twentieth more, at most. */
    readonly limitMs: number,
    private readonly onSilent: () => void,
  ) {}

  /** Watches a connection while somebody waits for it; what it was asked for fails when it is destroyed. */
  async during<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
    const end = this.begin(client)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** The same until the answer is called. */
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
      streamOf(watched.client).destroy(new Error(`nothing came from the server for ${this.limitMs} ms`))
      this.onSilent()
    }
  }
}
