import { createParser } from 'eventsource-parser'
import type { Credentials, Lobby } from './api'

interface Wait {
  readonly wanted: (lobby: Lobby) => boolean
  readonly found: (lobby: Lobby) => void
  readonly gaveUp: (why: Error) => void
}

/** A lobby's event stream as one player sees it. */
export class Follower {
  private readonly seen: Lobby[] = []
  private readonly waiting: Wait[] = []
  /** Why nothing more comes. */
  private ended: Error | undefined
  private readonly abort = new AbortController()

  private constructor() {}

  /** Opens the stream; resolves once its first message, the snapshot, is here. */
  static async open(credentials: Credentials, lobbyId: string, player: string): Promise<Follower> {
    const follower = new Follower()
    const answer = await fetch(new URL(`/v1/lobbies/${lobbyId}/events`, credentials.base_url), {
      headers: { 'api-key': credentials.client_key, 'x-player-id': player },
      signal: follower.abort.signal,
    })
    if (!answer.ok || answer.body === null) throw new Error(`the event stream answered ${answer.status}`)
    void follower.read(answer.body).then(
      () => follower.end(new Error('the event stream ended')),
      (error: unknown) => follower.end(new Error(`the event stream broke: ${String(error)}`)),
    )
    await follower.until(() => true)
    return follower
  }

  /**
   * The first message from now on back to the newest that fits; earlier ones count only while they are the newest. Throws once the stream
   * has ended: what is waited for then never comes.
   */
  until(wanted: (lobby: Lobby) => boolean): Promise<Lobby> {
    const newest = this.seen.at(-1)
    if (newest !== undefined && wanted(newest)) return Promise.resolve(newest)
    if (this.ended !== undefined) return Promise.reject(this.ended)
    return new Promise((found, gaveUp) => this.waiting.push({ wanted, found, gaveUp }))
  }

  close(): void {
    this.abort.abort()
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    const parser = createParser({ onEvent: ({ data }) => this.take(JSON.parse(data) as Lobby) })
    for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }))
  }

  private end(why: Error): void {
    this.ended = why
    for (const { gaveUp } of this.waiting.splice(0)) gaveUp(why)
  }

  private take(lobby: Lobby): void {
    this.seen.push(lobby)
    for (const entry of [...this.waiting]) {
      if (!entry.wanted(lobby)) continue
      this.waiting.splice(this.waiting.indexOf(entry), 1)
      entry.found(lobby)
    }
  }
}
