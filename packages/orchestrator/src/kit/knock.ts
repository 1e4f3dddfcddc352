import { connect } from 'node:net'

const CONNECT_TIMEOUT_MS = 500

export type Answer = 'accepts' | 'refuses' | 'unreachable'

/**
 * Connects to a TCP port, closes the connection at once, and returns whether the port accepted it. Returns
 * `unreachable` after 500 ms.
 */
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
