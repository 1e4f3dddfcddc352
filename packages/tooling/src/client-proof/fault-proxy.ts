import { connect, createServer, type Server, type Socket } from 'node:net'

/** Faults of the connection between a client and the service, for connections made while they are set. */
export interface Fault {
  /** Connections are ended as they begin. */
  readonly refuse?: boolean
  /** Nothing comes through, in either direction, and nobody is told. */
  readonly blackHole?: boolean
  /** Each piece is held up for so long. */
  readonly delayMs?: number
  /** A connection ends after so many bytes of answers. */
  readonly cutAfterBytes?: number
  /** A connection ends after so long. */
  readonly cutAfterMs?: number
  /** Instead of being reset, what is cut ends as if all had been said. */
  readonly halfClose?: boolean
  /** Requests come through, answers never do: the connection ends where one would begin. Of one method alone, where it is named. */
  readonly loseAnswers?: true | 'POST'
  /** Bytes of an event stream that pass after its headers; the rest is held back to its end, as buffering proxies do. */
  readonly holdStreamsAfterBytes?: number
}

interface Way {
  readonly client: Socket
  readonly service: Socket
  readonly fault: Fault
  taken: number
  isDead: boolean
  /** Bytes of a held-back stream that may still pass. */
  streamRoom: number | undefined
  /** Method of the last request. */
  method: string
}

/** A network between: every connection to it goes to the service, as well as the fault of the moment lets it. */
export class FaultProxy {
  /** Holds for connections that are there as well, as far as it can. */
  fault: Fault = {}
  /** How many connections there were. */
  connections = 0
  private readonly ways = new Set<Way>()

  private constructor(
    private readonly server: Server,
    /** The port where the service listens; another one after a restart, or chosen for each connection. */
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

  /** Ends all connections that are there. */
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
    // Swallowed bytes are lost: nothing after them may pass.
    if (this.fault.blackHole || way.fault.blackHole) way.isDead = true
    if (way.isDead) return
    // Delay of the connection, so that its pieces keep their order.
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

/** Returns the part of a piece that passes when streams are held back. */
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
