import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

/**
 * A TCP relay between a machine and the database, which delays each chunk of data in both directions. It stands for the
 * distance between a region and the database, because not every kernel can delay packets (`tc netem`).
 */
export class Relay {
  private readonly sockets = new Set<Socket>()

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(databaseUrl: string, host: string, delayMs: number): Promise<Relay> {
    const folder = new URL(databaseUrl).searchParams.get('host') ?? ''
    const server = createServer({ noDelay: true })
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the relay does not listen')
    const relay = new Relay(server, `postgres://postgres@${host}:${address.port}/postgres`)
    server.on('connection', (client) => relay.join(client, connect(join(folder, '.s.PGSQL.5432')), delayMs))
    return relay
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((resolve) => this.server.close(resolve))
  }

  private join(client: Socket, database: Socket, delayMs: number): void {
    const pass = (from: Socket, to: Socket) => {
      this.sockets.add(from)
      from.on('error', () => {})
      from.on('data', (data) => setTimeout(() => to.destroyed || to.write(data), delayMs))
      from.on('close', () => {
        this.sockets.delete(from)
        setTimeout(() => to.destroy(), delayMs)
      })
    }
    pass(client, database)
    pass(database, client)
  }
}
