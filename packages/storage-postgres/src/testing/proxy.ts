import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What stands between handles and a server, as a network does. */
export interface Network {
  readonly url: string
  /** Breaks every connection on the client's side alone: the server goes on with what it was sent and does not notice. */
  loseClients(): void
  /**
   * From now on nothing comes through and nobody is told: connections stay open, new ones are taken, and what is sent is swallowed. Those
   * that were there, or came meanwhile, stay silent for good, as when a firewall has forgotten them.
   */
  fallSilent(): void
  /** New connections come through again. */
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
  // Half-open, so that a goodbye into the silence is not answered either.
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
    // A client that says goodbye takes its connection with it; one that is lost does not.
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
