import { isWaiting } from '@matchyard/core/domain'
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
