import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * Stands between a handle and the server, as a network does. `loseClients` breaks every connection on the client's side alone: the
 * server goes on with what it was sent and does not notice.
 */
export async function aProxy(url: string): Promise<{ url: string; loseClients(): void }> {
  const folder = await mkdtemp(join(tmpdir(), 'matchyard-proxy-'))
  const target = new URL(url)
  const host = target.searchParams.get('host') ?? target.hostname
  const port = Number(target.port || 5432)
  const clients = new Set<Socket>()
  const upstreams = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host)
    clients.add(client)
    upstreams.add(upstream)
    for (const socket of [client, upstream]) socket.on('error', () => {})
    client.on('data', (data) => upstream.write(data))
    upstream.on('data', (data) => client.destroyed || client.write(data))
    // A client that says goodbye takes its connection with it; one that is lost does not.
    client.on('end', () => upstream.end())
    upstream.on('close', () => client.destroy())
    client.on('close', () => clients.delete(client))
  })
  await new Promise<void>((resolve) => proxy.listen(join(folder, '.s.PGSQL.5432'), resolve))
  onTestFinished(async () => {
    for (const socket of [...clients, ...upstreams]) socket.destroy()
    await new Promise((resolve) => proxy.close(resolve))
    await rm(folder, { recursive: true })
  })
  const through = new URL(url)
  through.searchParams.set('host', folder)
  through.port = ''
  return {
    url: through.href,
    loseClients() {
      for (const client of clients) client.destroy()
    },
  }
}
