import { connect, type Socket } from 'node:net'

/** A GET request in the form that is written to a socket. */
export interface RawCall {
  readonly path: string
  readonly key: string
  readonly player: string
  readonly lastEventId?: string
}

/** Connections that are opened at the same time. */
const AT_ONCE = 32
/** Milliseconds after which an answer that has not begun counts as missing. */
const ANSWER_WITHIN_MS = 10_000

const textOf = ({ path, key, player, lastEventId }: RawCall): string =>
  [
    `GET ${path} HTTP/1.1`,
    'host: localhost',
    `api-key: ${key}`,
    `x-player-id: ${player}`,
    ...(lastEventId === undefined ? [] : [`last-event-id: ${lastEventId}`]),
    '\r\n',
  ].join('\r\n')

/** One connection, with all its calls written one after the other. */
export class RawConnection {
  /** Bytes received so far. */
  bytes = 0
  private head = ''
  /** Resolves when an answer has begun or the connection has ended. */
  private readonly begun: Promise<unknown>

  private constructor(private readonly socket: Socket) {
    socket.on('error', () => {})
    this.begun = new Promise((resolve) => {
      socket.once('data', resolve)
      socket.once('close', resolve)
    })
    socket.on('data', (chunk: Buffer) => {
      this.bytes += chunk.byteLength
      if (this.head.length < 64) this.head += chunk.toString('latin1', 0, 64)
    })
  }

  static open(baseUrl: string, calls: readonly RawCall[]): RawConnection {
    const { port, hostname } = new URL(baseUrl)
    const connection = new RawConnection(connect(Number(port), hostname))
    connection.socket.write(calls.map(textOf).join(''))
    return connection
  }

  /** Returns the status of the first answer; 0 when no answer began in time. */
  async status(withinMs = ANSWER_WITHIN_MS): Promise<number> {
    if (this.head === '' && !this.socket.closed) await Promise.race([this.begun, pause(withinMs)])
    return this.begunWith
  }

  /** The status of the answer that has begun; 0 before that. */
  get begunWith(): number {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.head)?.[1] ?? 0)
  }

  get isOpen(): boolean {
    return !this.socket.destroyed
  }

  close(): void {
    this.socket.destroy()
  }
}

/** Opens `count` connections, 32 at a time, and writes the calls of each. */
export async function openMany(
  baseUrl: string,
  count: number,
  callsOf: (index: number) => readonly RawCall[],
): Promise<RawConnection[]> {
  const opened: RawConnection[] = []
  for (let from = 0; from < count; from += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) =>
      RawConnection.open(baseUrl, callsOf(from + at)),
    )
    opened.push(...some)
    await Promise.all(some.map((one) => one.status(200)))
  }
  return opened
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
