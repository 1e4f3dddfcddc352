import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Faults on connections between a client and the service. They apply to connections that are opened while the faults
 * are set.
 */
export interface Fault {
  /** Whether new connections are reset at once. */
  readonly refuse?: boolean
  /** Whether all bytes are dropped in both directions, while the connections stay open. */
  readonly blackHole?: boolean
  /** Milliseconds by which each chunk of data is delayed. */
  readonly delayMs?: number
  /** Number of bytes of answers after which a connection is closed. */
  readonly cutAfterBytes?: number
  /** Milliseconds after which a connection is closed. */
  readonly cutAfterMs?: number
  /** Whether the proxy ends a connection normally, and not with a reset, when it closes the connection. */
  readonly halfClose?: boolean
  /**
   * Whether requests reach the service, but the connection is closed before an answer reaches the client. With a
   * method, only answers to requests with this method are lost.
   */
  readonly loseAnswers?: true | 'POST'
  /**
   * Number of bytes of an event stream that reach the client after the headers. Later bytes never reach the client, as
   * behind a proxy that buffers the stream.
   */
  readonly holdStreamsAfterBytes?: number
}

interface Way {
  readonly client: Socket
  readonly service: Socket
  readonly fault: Fault
  taken: number
  isDead: boolean
  /**
   * Number of bytes that may still reach the client, for an event stream that is held back; undefined for other
   * connections.
   */
  streamRoom: number | undefined
  /** Method of the last request on the connection. */
  method: string
}

/** A proxy in front of the service. It passes each connection on to the service, subject to the current fault. */
export class FaultProxy {
  /**
   * The current fault. `blackHole` and `loseAnswers` apply to existing connections as well; all other faults apply only
   * to new connections.
   */
  fault: Fault = {}
  /** Number of connections accepted so far. */
  connections = 0
  private readonly ways = new Set<Way>()

  private constructor(
    private readonly server: Server,
    /**
     * The port of the service. Assign another number when the service restarts on another port. A function chooses a
     * port for each connection.
     */
    public target: number | (() => number),
  ) {}

  /** Listens on a free port of this machine. */
  static async start(target: FaultProxy['target']): Promise<FaultProxy> {
    const server = createServer()
    const proxy = new FaultProxy(server, target)
    server.on('connection', (client) => proxy.accept(client))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get url(): string {
    const address = this.server.address()
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen')
    return `http://127.0.0.1:${address.port}`
  }

  /** Resets all open connections. */
  cut(): void {
    for (const way of this.ways) this.end(way, false)
  }

  async stop(): Promise<void> {
    this.fault = { refuse: true }
    this.cut()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private accept(client: Socket): void {
    this.connections++
    const { fault } = this
    client.on('error', () => {})
    if (fault.refuse) {
      client.resetAndDestroy()
      return
    }
    const { target } = this
    const service = connect(typeof target === 'number' ? target : target(), '127.0.0.1')
    service.on('error', () => client.destroy())
    const way: Way = { client, service, fault, taken: 0, isDead: false, streamRoom: undefined, method: '' }
    this.ways.add(way)
    const over = () => {
      this.ways.delete(way)
      client.destroy()
      service.destroy()
    }
    client.on('close', over)
    service.on('close', over)
    client.on('data', (piece) => {
      way.method = /^[A-Z]+(?= \/)/.exec(piece.toString('latin1', 0, 16))?.[0] ?? way.method
      this.pass(way, piece, service)
    })
    service.on('data', (piece) => this.answer(way, piece))
    client.on('end', () => service.end())
    service.on('end', () => client.end())
    if (fault.cutAfterMs !== undefined) {
      const timer = setTimeout(() => this.end(way, fault.halfClose === true), fault.cutAfterMs)
      client.on('close', () => clearTimeout(timer))
    }
  }

  private answer(way: Way, piece: Buffer): void {
    const { fault } = way
    const { loseAnswers, halfClose = false } = this.fault
    if (loseAnswers === true || (loseAnswers !== undefined && way.method === loseAnswers)) {
      this.end(way, halfClose)
      return
    }
    const room = (fault.cutAfterBytes ?? Number.POSITIVE_INFINITY) - way.taken
    way.taken += piece.length
    this.pass(way, unheld(way, piece).subarray(0, room), way.client)
    if (piece.length >= room) this.end(way, fault.halfClose === true)
  }

  private pass(way: Way, piece: Buffer, to: Socket): void {
    // Dropped bytes are lost. Later bytes of the connection must not reach the receiver either, because the receiver
    // would then see a gap in the data.
    if (this.fault.blackHole || way.fault.blackHole) way.isDead = true
    if (way.isDead) return
    // The delay is fixed for a connection, so that its chunks keep their order.
    const { delayMs } = way.fault
    if (delayMs === undefined) to.write(piece)
    else setTimeout(() => to.destroyed || to.write(piece), delayMs)
  }

  private end(way: Way, politely: boolean): void {
    const { client, service } = way
    if (politely) client.end()
    else client.resetAndDestroy()
    service.destroy()
  }
}

/** Returns the part of a chunk that reaches the client when event streams are held back. */
function unheld(way: Way, piece: Buffer): Buffer {
  const { holdStreamsAfterBytes: bytes } = way.fault
  if (bytes === undefined) return piece
  const head = piece.indexOf('\r\n\r\n')
  if (way.streamRoom === undefined) {
    const isStream = head !== -1 && /^content-type: text\/event-stream/im.test(piece.toString('latin1', 0, head))
    if (!isStream) return piece
    way.streamRoom = head + 4 + bytes
  }
  const passes = piece.subarray(0, way.streamRoom)
  way.streamRoom -= passes.length
  return passes
}
