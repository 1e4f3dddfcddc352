import { connect } from 'node:net'
import type { Instant } from '@matchyard/core'

const UDP_ONLY_UP_MS = 1_000
const CONNECT_TIMEOUT_MS = 500

/** A game server that has been started and is not known to be ready. `P`: what an adapter knows of one TCP port. */
export interface Started<P> {
  readonly startedAt: Instant
  readonly tcpPorts: readonly P[]
}

/** Every TCP port accepts, or, where there is none, the server has stayed up for a second. */
export async function isReady<P>(
  { startedAt, tcpPorts }: Started<P>,
  now: Instant,
  accepts: (port: P) => Promise<boolean>,
): Promise<boolean> {
  if (tcpPorts.length === 0) return now - startedAt >= UDP_ONLY_UP_MS
  return (await Promise.all(tcpPorts.map(accepts))).every(Boolean)
}

export type Answer = 'accepts' | 'refuses' | 'unreachable'

/** How a TCP port answers a connection, which is dropped at once. */
export function knock(host: string, port: number): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const done = (answer: Answer) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => done('unreachable'))
    socket.once('connect', () => done('accepts'))
    socket.once('error', (error: NodeJS.ErrnoException) =>
      done(error.code === 'ECONNREFUSED' ? 'refuses' : 'unreachable'),
    )
  })
}
