import type { GameServer } from '@matchyard/core'
import { isOlder, isWaiting } from '@matchyard/core/domain'
import type { Invariant } from './invariant'

/** Invariant: no machine runs more game servers than its limit, also when nodes crash. */
export const noMachineRunsTooMany: Invariant = ({ now }) =>
  [...now.maxServers].flatMap(([nodeId, limit]) => {
    const instances = new Set(now.alive.filter((one) => one.nodeId === nodeId).map(({ process }) => process.instanceId))
    return instances.size <= limit ? [] : [`${nodeId} runs ${instances.size} servers and may run ${limit}`]
  })

/** Invariant: a server that waits for free capacity has no node and no ports, and its status is `launching`. */
export const waitingLaunchesHoldNothing: Invariant = ({ now }) =>
  [...now.servers.values()].filter(isWaiting).flatMap(({ id, status, nodeId, networkPorts, attemptOpen }) => {
    const isFree = status === 'launching' && nodeId === null && networkPorts.length === 0 && !attemptOpen
    return isFree ? [] : [`${id} waits for room, ${status}, on ${nodeId} with ${networkPorts.length} ports`]
  })

/** Invariant: no match fails for lack of capacity before its allowed waiting time is over. */
export const noLaunchFailsBeforeItsDeadline: Invariant = ({ now, before }) =>
  [...now.servers.values()].flatMap((server) => {
    const was = before?.servers.get(server.id)
    if (was === undefined || !isWaiting(was) || server.status !== 'failed' || now.at >= was.launchDeadlineAt) return []
    return [`${server.id} failed while it waited, ${was.launchDeadlineAt - now.at} ms too soon: ${server.stopReason}`]
  })

/** Milliseconds after which every node has noticed that a server waits for free capacity. */
const SEEN_AFTER_MS = 10_000

const isAdmitted = (server: GameServer | undefined): boolean =>
  server !== undefined && !isWaiting(server) && server.attemptOpen

/**
 * Invariant: the server that has waited longest gets free capacity first. All servers have the same size here, so no
 * smaller server may go first.
 */
export const theOldestLaunchIsFirst: Invariant = ({ now, before }) => {
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

/** Invariant: a machine runs only servers of the regions that it serves. */
export const serversRunInTheirRegion: Invariant = ({ now }) =>
  now.alive.flatMap(({ nodeId, process }) => {
    const served = now.regions.get(nodeId)
    const server = now.servers.get(process.instanceId)
    if (served === undefined || server === undefined || served.includes(server.region)) return []
    return [`${server.id} of ${server.region} runs on ${nodeId}, which serves ${served.join(', ')}`]
  })
