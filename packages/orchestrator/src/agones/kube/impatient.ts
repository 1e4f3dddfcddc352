import type { Connection, KubeCall } from './connection'
import { Unreachable } from './errors'
import { Unanswered } from './no-answer'

/**
 * Returns a connection that does not wait for a cluster that is known to be silent. After a call has timed out, further
 * calls reject at once, because their callers have other clusters to serve. Rejected reads are repeated in the
 * background, one at a time, until the cluster answers one. When a cluster refuses connections, calls reject at once
 * anyway. Streams are always opened, because no other work waits for a watch.
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
      // A call that its caller aborted says nothing about the cluster.
      if (signal?.aborted !== true) silence = error instanceof Unanswered ? error.message : undefined
      throw error
    }
  }

  /**
   * Repeats a read that a caller wanted. Another read would prove less: an API may answer some calls and not others.
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
