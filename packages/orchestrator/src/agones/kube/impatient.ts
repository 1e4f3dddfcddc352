import type { Connection, KubeCall } from './connection'
import { Unreachable } from './errors'
import { Unanswered } from './no-answer'

/**
 * Returns a connection on which calls to a cluster that does not answer reject at once. After a call has timed out, all
 * further calls reject at once, because their callers have other clusters to serve. The connection repeats rejected
 * reads in the background, one at a time, until the cluster answers a read. When a cluster refuses connections, calls
 * reject at once anyway. Streams are always opened, because no other work waits for a watch.
 */
export function impatient(connection: Connection): Connection {
  let silence: string | undefined
  let isAsking = false

  async function noted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
    try {
      const answer = await work
      silence = undefined
      return answer
    } catch (error) {
      // An abort by the caller does not show whether the cluster answers.
      if (signal?.aborted !== true) silence = error instanceof Unanswered ? error.message : undefined
      throw error
    }
  }

  /**
   * Repeats a read that a caller requested. Another read would prove less: an API may answer some calls and not others.
   */
  async function askAgain({ method, path }: KubeCall): Promise<void> {
    if (isAsking || method !== 'GET') return
    isAsking = true
    await noted(undefined, connection.send({ method, path })).catch(() => {})
    isAsking = false
  }

  return {
    server: connection.server,
    async send(call) {
      if (silence === undefined) return noted(call.signal, connection.send(call))
      void askAgain(call)
      throw new Unreachable(silence)
    },
    stream: (call) => noted(call.signal, connection.stream(call)),
  }
}
