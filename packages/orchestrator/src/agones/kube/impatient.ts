import type { Connection, KubeCall } from './connection'
import { Unreachable } from './errors'
import { Unanswered } from './no-answer'

/**
 * A connection on which nobody waits for a cluster that is known to be silent. Once a call has waited in vain for all of its time, others are told so at
 * once, for whoever calls has other clusters to see to; what they would read is asked for in the background, by one at a time, until it is answered.
 * A cluster that refuses connections says so at once by itself. Streams are opened in any case: whoever watches waits for nothing else.
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
      // What is not waited for any more says nothing.
      if (signal?.aborted !== true) silence = error instanceof Unanswered ? error.message : undefined
      throw error
    }
  }

  /** By a read that somebody wants, for an interface may answer one question and not another. */
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
