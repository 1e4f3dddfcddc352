import type { GameServer } from '@matchyard/core'
import { isOlder, isWaiting } from '@matchyard/core/domain'
import type { Invariant } from './invariant'

/** No machine runs more game servers than there is room for, whatever was admitted and whoever died over it. */
export const noMachineRunsTooMany: Invariant = ({ now }) =>
  [...now.maxServers].flatMap(([nodeId, limit]) => {
    const instances = new Set(now.alive.filter((one) => one.nodeId === nodeId).map(({ process }) => process.instanceId))
    return instances.size <= limit ? [] : [`${nodeId} runs ${instances.size} servers and may run ${limit}`]
  })

/** A server that waits for room is bound to no node and holds no port, and only one that is launching waits. */
export const whoWaitsHoldsNothing: Invariant = ({ now }) =>
  [...now.servers.values()].filter(isWaiting).flatMap(({ id, status, nodeId, networkPorts, attemptOpen }) => {
    const isFree = status === 'launching' && nodeId === null && networkPorts.length === 0 && !attemptOpen
    return isFree ? [] : [`${id} waits for room, ${status}, on ${nodeId} with ${networkPorts.length} ports`]
  })

/** Nobody is sent back for want of room before the time that a match may wait for it is over. */
export const nobodyFailsForRoomTooSoon: Invariant = ({ now, before }) =>
  [...now.servers.values()].flatMap((server) => {
    const was = before?.servers.get(server.id)
    if (was === undefined || !isWaiting(was) || server.status !== 'failed' || now.at >= was.launchDeadlineAt) return []
    return [`${server.id} failed while it waited, ${was.launchDeadlineAt - now.at} ms too soon: ${server.stopReason}`]
  })

/** Somebody who has stood in line for so long is seen by whoever begins to look now. */
const SEEN_AFTER_MS = 10_000

const isAdmitted = (server: GameServer | undefined): boolean =>
  server !== undefined && !isWaiting(server) && server.attemptOpen

/** Room goes to whoever has waited longest: all servers are of one size here, so nobody has a reason to pass another. */
export const theOldestIsLaunchedFirst: Invariant = ({ now, before }) => {
  const waiting = [...(before?.servers.values() ?? [])].filter(isWaiting)
  const admitted = waiting.filter(({ id }) => isAdmitted(now.servers.get(id)))
  return admitted.flatMap((server) =>
    waiting
      .filter((other) => {
        const isThere = other.updatedAt + SEEN_AFTER_MS <= now.at && now.at < other.launchDeadlineAt
        return isThere && other.region === server.region && isOlder(other, server)
      })
      .map((other) => `${server.id} was launched before ${other.id}, which has waited longer`),
  )
}
