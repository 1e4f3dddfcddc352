import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A network between storage handles and a server, which a test can make fail. */
export interface Network {
  readonly url: string
  /** Breaks every connection on the client's side only. The server does not notice and continues its work. */
  loseClients(): void
  /**
   * Silences the network without a message: open connections stay open, new connections are accepted, and all data is
   * discarded. These connections stay silent forever, even after `answerAgain`, as when a firewall has dropped its
   * state.
   */
  fallSilent(): void
  /** Lets new connections reach the server again. */
  answerAgain(): void
  stop(): Promise<void>
}

export async function startProxy(url: string): Promise<Network> {
  const folder = await mkdtemp(join(tmpdir(), 'matchyard-proxy-'))
  const target = new URL(url)
  const host = target.searchParams.get('host') ?? target.hostname
  const port = Number(target.port || 5432)
  const clients = new Set<Socket>()
  const upstreams = new Set<Socket>()
  const silenced = new WeakSet<Socket>()
  let isSilent = false
  // Half-open connections are allowed, so that the proxy does not acknowledge the end of a silenced connection.
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    clients.add(client)
    client.on('error', () => {})
    client.on('close', () => clients.delete(client))
    if (isSilent) {
      silenced.add(client)
      client.resume()
      return
    }
    const upstream = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host)
    upstreams.add(upstream)
    upstream.on('error', () => {})
    client.on('data', (data) => silenced.has(client) || upstream.write(data))
    upstream.on('data', (data) => silenced.has(client) || client.destroyed || client.write(data))
    // When a client ends its connection, the connection to the server ends too. When a client's connection breaks, the
    // connection to the server stays open.
    client.on('end', () => silenced.has(client) || upstream.end())
    upstream.on('close', () => {
      upstreams.delete(upstream)
      if (!silenced.has(client)) client.destroy()
    })
  })
  await new Promise<void>((resolve) => proxy.listen(join(folder, '.s.PGSQL.5432'), resolve))
  const through = new URL(url)
  through.searchParams.set('host', folder)
  through.port = ''
  return {
    url: through.href,
    loseClients() {
      for (const client of clients) client.destroy()
    },
    fallSilent() {
      isSilent = true
      for (const client of clients) silenced.add(client)
    },
    answerAgain() {
      isSilent = false
    },
    async stop() {
      for (const socket of [...clients, ...upstreams]) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
      await rm(folder, { recursive: true })
    },
  }
}
