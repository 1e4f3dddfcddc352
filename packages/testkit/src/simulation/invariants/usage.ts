import type { Invariant } from './invariant'
import type { Snapshot } from './snapshot'

const secondsOf = (ms: number): number => Math.ceil(Math.max(0, ms) / 1_000)

/**
 * Invariant: the usage contains every second of every ended server once. It may also contain seconds of processes that
 * were not running servers. The number of these seconds depends on the observations, but is never above the real
 * number.
 */
export const secondsAreMeteredOnce: Invariant = ({ now }) => {
  const ended = [...now.servers.values()].reduce(
    (sum, { runningAt, stoppedAt }) =>
      sum + (runningAt === null || stoppedAt === null ? 0 : secondsOf(stoppedAt - runningAt)),
    0,
  )
  const most = ended + idleSeconds(now)
  const { meteredSeconds } = now
  return ended <= meteredSeconds && meteredSeconds <= most
    ? []
    : [
        `${meteredSeconds} s are metered, and there were ${ended} s of servers that ended, ${most} s with all that was idle`,
      ]
}

/**
 * Returns the number of seconds of processes that were not running servers: the time until the server ran, or the whole
 * life of the process.
 */
function idleSeconds({ idle, servers, at }: Snapshot): number {
  return idle.reduce((sum, { instanceId, from, to = at }) => {
    const runningAt = instanceId === undefined ? null : (servers.get(instanceId)?.runningAt ?? null)
    return sum + secondsOf(Math.min(to, runningAt ?? to) - from)
  }, 0)
}
