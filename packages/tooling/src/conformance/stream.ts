import type { MatchyardApp } from '@matchyard/http'
import { expect } from 'vitest'
import type { Body } from './client'
import { document } from './document'

export interface StreamEvent {
  readonly event: string
  readonly id: string
  readonly data: Body
}

const LOBBY = { $ref: 'document#/components/schemas/Lobby' }

/** One event stream of the application in this process; a test reads it message by message. */
export class Stream {
  readonly events: StreamEvent[] = []
  readonly comments: string[] = []
  retry: string | undefined
  ended = false
  private buffer = ''
  private wake = () => {}
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>

  private constructor(response: Response) {
    if (response.body === null) throw new Error('the stream has no body')
    this.reader = response.body.getReader()
    void this.read()
  }

  static async open(app: MatchyardApp, path: string, headers: Readonly<Record<string, string>>): Promise<Stream> {
    const response = await app.request(path, { headers: { ...headers } })
    if (response.status !== 200) throw new Error(`no stream: ${response.status} ${await response.text()}`)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    return new Stream(response)
  }

  /** Resolves with all events when at least `count` events have arrived. */
  async untilEvents(count: number): Promise<readonly StreamEvent[]> {
    await this.until(() => this.events.length >= count)
    return this.events
  }

  /** Resolves when the service has ended the stream. */
  untilEnd(): Promise<void> {
    return this.until(() => this.ended)
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.ended) throw new Error(`the stream ended early, after ${JSON.stringify(this.names())}`)
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }

  /** Returns the name and the id of each event, for example `connected 1`, `lobby_updated 2`. */
  names(): string[] {
    return this.events.map(({ event, id }) => `${event} ${id}`)
  }

  close(): Promise<void> {
    return this.reader.cancel()
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await this.reader.read().catch(() => ({ done: true, value: undefined }))
      if (done) break
      this.buffer += decoder.decode(value, { stream: true })
      const messages = this.buffer.split('\n\n')
      this.buffer = messages.pop() ?? ''
      for (const message of messages) this.take(message)
      this.wake()
    }
    this.ended = true
    this.wake()
  }

  private take(message: string): void {
    const fields = new Map<string, string>()
    for (const line of message.split('\n')) {
      const at = line.indexOf(':')
      fields.set(line.slice(0, at), line.slice(at + 1).trimStart())
    }
    const comment = fields.get('')
    if (comment !== undefined) this.comments.push(comment)
    this.retry = fields.get('retry') ?? this.retry
    const data = fields.get('data')
    if (data === undefined) return
    const event = { event: fields.get('event') ?? 'message', id: fields.get('id') ?? '', data: JSON.parse(data) }
    this.events.push(event)
    expect(document.faultsOf(LOBBY, event.data), message).toEqual([])
  }
}
