import { createParser } from 'eventsource-parser'
import type { Credentials, Lobby } from './api'

/** A lobby's event stream as one player sees it. */
export class Follower {
  private readonly seen: Lobby[] = []
  private readonly waiting: { readonly wanted: (lobby: Lobby) => boolean; readonly found: (lobby: Lobby) => void }[] =
    []
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
    void follower.read(answer.body).catch((error: unknown) => {
      if (!follower.abort.signal.aborted) console.error(`the event stream broke: ${String(error)}`)
    })
    await follower.until(() => true)
    return follower
  }

  /** The first message from now on back to the newest that fits; earlier ones count only while they are the newest. */
  until(wanted: (lobby: Lobby) => boolean): Promise<Lobby> {
    const newest = this.seen.at(-1)
    if (newest !== undefined && wanted(newest)) return Promise.resolve(newest)
    return new Promise((found) => this.waiting.push({ wanted, found }))
  }

  close(): void {
    this.abort.abort()
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    const parser = createParser({ onEvent: ({ data }) => this.take(JSON.parse(data) as Lobby) })
    for await (const chunk of body) parser.feed(decoder.decode(chunk, { stream: true }))
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
