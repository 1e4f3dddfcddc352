import { createServer } from 'node:net'

/**
 * Range of the returned ports. It lies between the ports of game servers and the ports that systems use for outgoing
 * connections.
 */
const [FROM, TO] = [30_000, 32_767]

/**
 * Returns a port that a service can listen on again after a stop, however many connections other programs make
 * meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FROM + Math.floor(Math.random() * (TO - FROM + 1))
    if (await isFree(port)) return port
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
