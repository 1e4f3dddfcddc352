import { type ClientRequest, request } from 'node:http'

export interface StreamEvent {
  readonly name: string
  readonly id: number
  /** Time at which the event arrived, in milliseconds by `performance.now()`. */
  readonly at: number
  readonly lobby: { readonly lobby_id: string; readonly version: number; readonly status: string }
}

export interface ReaderOptions {
  readonly baseUrl: string
  readonly key: string
  readonly player: string
  readonly lobbyId: string
  /** Id of an event: the stream continues after this event. Undefined starts a new stream. */
  readonly lastEventId?: number | undefined
}

/** One connection to a lobby's event stream. */
export class EventReader {
  readonly events: StreamEvent[] = []
  /** Resolves when the connection has ended for any reason. */
  readonly ended: Promise<void>
  /**
   * Milliseconds after which the client should reconnect, if the last frame contained this time; otherwise undefined.
   */
  retryMs: number | undefined
  private text = ''
  private readonly waiting = new Set<() => void>()

  private constructor(
    private readonly sent: ClientRequest,
    readonly status: number,
    private readonly onEvent: (event: StreamEvent) => void,
    body: import('node:http').IncomingMessage,
  ) {
    this.ended = new Promise((resolve) => body.once('close', resolve))
    body.setEncoding('utf8')
    body.on('error', () => {})
    body.on('data', (chunk: string) => this.take(chunk))
  }

  /** Resolves when the headers of the answer arrive; rejects when the connection fails. */
  static open(options: ReaderOptions, onEvent: (event: StreamEvent) => void = () => {}): Promise<EventReader> {
    const { baseUrl, key, player, lobbyId, lastEventId } = options
    const headers = {
      'api-key': key,
      'x-player-id': player,
      ...(lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }),
    }
    return new Promise((resolve, reject) => {
      const sent = request(new URL(`/v1/lobbies/${lobbyId}/events`, baseUrl), { headers, agent: false }, (body) =>
        resolve(new EventReader(sent, body.statusCode ?? 0, onEvent, body)),
      )
      sent.on('error', reject)
      sent.end()
    })
  }

  /** Resolves with the first event that matches `fits`; events that arrived before the call count too. */
  async until(fits: (event: StreamEvent) => boolean): Promise<StreamEvent> {
    for (;;) {
      const found = this.events.find(fits)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.waiting.add(resolve))
    }
  }

  close(): void {
    this.sent.destroy()
  }

  private take(chunk: string): void {
    this.text += chunk
    for (let end = this.text.indexOf('\n\n'); end !== -1; end = this.text.indexOf('\n\n')) {
      const frame = this.text.slice(0, end)
      const event = parsed(frame)
      this.retryMs = /^retry: (\d+)$/.test(frame) ? Number(frame.slice('retry: '.length)) : undefined
      this.text = this.text.slice(end + 2)
      if (event === undefined) continue
      this.events.push(event)
      this.onEvent(event)
    }
    for (const resolve of this.waiting) resolve()
    this.waiting.clear()
  }
}

/**
 * Returns the event in a frame, which the service writes with one line per field; undefined for keep-alives and other
 * frames.
 */
function parsed(frame: string): StreamEvent | undefined {
  const fields = new Map(frame.split('\n').map((line) => [line.split(':', 1)[0] ?? '', line.replace(/^[a-z]*: ?/, '')]))
  const [name, id, data] = [fields.get('event'), fields.get('id'), fields.get('data')]
  if (name === undefined || id === undefined || data === undefined) return undefined
  return { name, id: Number(id), at: performance.now(), lobby: JSON.parse(data) as StreamEvent['lobby'] }
}
