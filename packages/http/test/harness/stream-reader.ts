import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { createParser } from 'eventsource-parser'
import { headerText } from './client'

export interface ReadEvent {
  readonly event: string | undefined
  readonly id: string | undefined
  readonly data: ReturnType<typeof JSON.parse>
}

export interface StreamOptions {
  readonly key?: string
  readonly player?: string
  /** Further headers. */
  readonly headers?: Record<string, string>
  readonly lastEventId?: string
}

/** Reader of one event stream on a real socket. */
export class StreamReader {
  readonly events: ReadEvent[] = []
  readonly comments: string[] = []
  retry: number | undefined
  text = ''
  ended = false
  status = 0
  headers: IncomingMessage['headers'] = {}
  private response: IncomingMessage | undefined
  private wake: (() => void) | undefined
  private readonly request: ClientRequest

  constructor(url: string, options: StreamOptions) {
    const headers = {
      ...(options.key === undefined ? {} : { 'api-key': options.key }),
      ...(options.player === undefined ? {} : { 'x-player-id': headerText(options.player) }),
      ...options.headers,
      ...(options.lastEventId === undefined ? {} : { 'last-event-id': options.lastEventId }),
    }
    this.request = request(url, { headers, agent: false })
    this.request.on('error', () => this.finish())
    this.request.on('response', (response) => this.read(response))
    this.request.end()
  }

  private read(response: IncomingMessage): void {
    this.response = response
    this.status = response.statusCode ?? 0
    this.headers = response.headers
    const parser = createParser({
      onEvent: ({ event, id, data }) => {
        this.events.push({ event, id, data: JSON.parse(data) })
        this.wake?.()
      },
      onComment: (comment) => {
        this.comments.push(comment)
        this.wake?.()
      },
      onRetry: (retry) => {
        this.retry = retry
        this.wake?.()
      },
    })
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => {
      this.text += chunk
      parser.feed(chunk)
    })
    response.on('end', () => this.finish())
    response.on('error', () => this.finish())
    response.on('close', () => this.finish())
    this.wake?.()
  }

  /** Local port of the connection, which distinguishes it from others. */
  get localPort(): number | undefined {
    return this.request.socket?.localPort
  }

  private finish(): void {
    this.ended = true
    this.wake?.()
  }

  /** Resolves once the condition holds. Rejects when the stream ends before. */
  async until(condition: (reader: this) => boolean): Promise<void> {
    while (!condition(this)) {
      if (this.ended) throw new Error(`the stream ended early with ${this.status}: ${this.text}`)
      await new Promise<void>((resolve) => {
        this.wake = resolve
      })
    }
  }

  untilEvents(count: number): Promise<void> {
    return this.until(() => this.events.length >= count)
  }

  untilEnd(): Promise<void> {
    return this.until(() => this.ended)
  }

  /** Stops reading, like a reader that hangs. */
  stall(): void {
    this.response?.pause()
  }

  /** Cuts the connection. */
  cut(): void {
    this.request.destroy()
  }
}
