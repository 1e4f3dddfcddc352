import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A proxy that passes on a number of the server's messages on each connection, and holds back the others until
 * `letThrough` is called.
 */
export interface HeldNetwork {
  readonly url: string
  /** Resolves when the first message is held back. */
  readonly held: Promise<void>
  letThrough(): void
  /** Ends every connection, like a server that dies. */
  cut(): void
  stop(): Promise<void>
}

/** Bytes of a message's type and of its length. The length in the header counts its own bytes, but not the type. */
const HEADER_BYTES = 5

export async function holdAfter(messages: number, url: string): Promise<HeldNetwork> {
  const folder = await mkdtemp(join(tmpdir(), 'matchyard-held-'))
  const server = join(new URL(url).searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const sockets = new Set<Socket>()
  const waiting: (() => void)[] = []
  let isOpen = false
  let hold = () => {}
  const held = new Promise<void>((resolve) => {
    hold = resolve
  })
  const proxy = createServer((client) => {
    const upstream = connect(server)
    let unread = Buffer.alloc(0)
    let passed = 0
    const pass = () => {
      for (;;) {
        const length = unread.length < HEADER_BYTES ? Number.NaN : 1 + unread.readInt32BE(1)
        if (!(unread.length >= length)) return
        if (!isOpen && passed === messages) return hold()
        passed++
        if (!client.destroyed) client.write(unread.subarray(0, length))
        unread = unread.subarray(length)
      }
    }
    waiting.push(pass)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream)
    upstream.on('data', (data: Buffer) => {
      unread = Buffer.concat([unread, data])
      pass()
    })
    upstream.on('close', () => client.end())
  })
  await new Promise<void>((resolve) => proxy.listen(join(folder, '.s.PGSQL.5432'), resolve))
  const through = new URL(url)
  through.searchParams.set('host', folder)
  return {
    url: through.href,
    held,
    letThrough() {
      isOpen = true
      for (const pass of waiting) pass()
    },
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
      await rm(folder, { recursive: true })
    },
  }
}
