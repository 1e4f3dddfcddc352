import type { Invariant } from './invariant'
import type { Snapshot } from './snapshot'

const secondsOf = (ms: number): number => Math.ceil(Math.max(0, ms) / 1_000)

/**
 * What is added up is every second of every server that has ended, once, and nothing besides but what ran or waited without being a
 * running server. How much of that is added up depends on what was seen of it; never more than there was.
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

/** Until its server ran, or for as long as it was there. */
function idleSeconds({ idle, servers, at }: Snapshot): number {
  return idle.reduce((sum, { instanceId, from, to = at }) => {
    const runningAt = instanceId === undefined ? null : (servers.get(instanceId)?.runningAt ?? null)
    return sum + secondsOf(Math.min(to, runningAt ?? to) - from)
  }, 0)
}
