import type { ServerLogs } from '../api/types'
import { backoff } from '../calls/backoff'
import { isPassing } from '../calls/calls'
import { throwIfAborted } from '../calls/first'
import { TRY_MS } from '../times'
import { part } from './resource'
import { PlainServers } from './resources'
import { streamEvents } from './stream-reader'

/** Milliseconds before the next connection, unless the service names another time. */
const COME_BACK_MS = 2_000

/** Selection of the lines of a followed log. */
export interface FollowLogs {
  /** Maximum number of lines that were written before the call: 1 to 1,000; 200 by default. */
  readonly limit?: number | undefined
  /** Only lines that were written at or after this instant. */
  readonly since?: string | undefined
  /** Ends the stream; the loop then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Game servers. */
export class Servers extends PlainServers {
  /**
   * Yields the log of a game server while it is written: first the newest lines, then the new lines. Ends after the last
   * line of a server that has ended. After a lost connection the stream continues with the first line that was not
   * yielded. Rejects with `SERVER_NOT_FOUND`, and with `UNAVAILABLE` when the log cannot be read for `retryForMs`.
   */
  async *followLogs(
    instanceId: string,
    { signal, ...query }: FollowLogs = {},
  ): AsyncGenerator<ServerLogs, void, undefined> {
    const { calls, platform, retryForMs } = this.context
    let known: Readonly<Record<string, string>> = {}
    let comeBackMs = COME_BACK_MS
    const open = (within: AbortSignal) =>
      this.open(`/servers/${part(instanceId)}/logs`, { ...query, follow: true }, within, known)
    for (let failures = 0, left = retryForMs; ; ) {
      const began = platform.now()
      try {
        const retry = (milliseconds: number) => {
          comeBackMs = milliseconds
          failures = 0
          left = retryForMs
        }
        for await (const { name, id, data } of streamEvents({ open, platform, signal, retry })) {
          if (name === 'end') return
          known = { 'last-event-id': id }
          yield JSON.parse(data) as ServerLogs
        }
        await calls.sleep(comeBackMs, signal)
      } catch (error) {
        throwIfAborted(signal)
        if (!isPassing(error)) throw error
        const delay = Math.max(backoff(failures++, platform.random()), error.retryAfterMs ?? 0)
        left -= delay + Math.min(Math.max(0, platform.now() - began), TRY_MS)
        if (left < 0) throw error
        await calls.sleep(delay, signal)
      }
    }
  }
}
