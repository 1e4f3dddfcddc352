import { isLive } from '@matchyard/core/domain'
import type { Invariant } from './invariant'
import type { Snapshot } from './snapshot'

/** Invariant: every counter equals the number of rows that it counts. */
export const countersAreExact: Invariant = ({ now }) => {
  const counted = countedIn(now)
  return [...now.counters].flatMap(([id, value]) => {
    const is = counted.get(id) ?? 0
    return is === value ? [] : [`${id} says ${value}, and there are ${is}`]
  })
}

function countedIn({ place, lobbies, servers }: Snapshot): Map<string, number> {
  const live = [...servers.values()].filter(isLive)
  const counted = new Map([
    [`servers:${place.accountId}`, live.length],
    [`project-servers:${place.projectId}`, live.length],
    [`builds:${place.accountId}`, place.buildIds.length],
  ])
  const add = (id: string) => counted.set(id, (counted.get(id) ?? 0) + 1)
  for (const server of live) if (server.buildId !== null) add(`build-servers:${server.buildId}`)
  for (const { fromWarm, projectId, queueId } of live)
    if (fromWarm === true) add(`warm-servers:${projectId}/${queueId}`)
  for (const lobby of lobbies.values()) add(`queue-lobbies:${lobby.projectId}/${lobby.queueId}`)
  return counted
}
