import type { Queue } from '@matchyard/core'
import { DEFAULT_REGION, DEFAULT_TIER, TIER_SIZES } from '@matchyard/core'
import { warmKey } from '@matchyard/core/ports'
import { type Invariant, twice } from './invariant'

/**
 * Invariant: no two processes have the same port, because a launch that takes a warm server also takes that server's
 * ports.
 */
export const warmServersShareNoPort: Invariant = ({ now }) => {
  const held = [
    ...now.alive.map(({ nodeId, process }) => ({ nodeId, ports: process.ports })),
    ...now.waiting.map(({ nodeId, server }) => ({ nodeId, ports: server.ports })),
  ].flatMap(({ nodeId, ports }) => ports.map((port) => `${nodeId} ${port.protocol} ${port.externalPort}`))
  return [...twice(held, (port) => port).keys()].map((port) => `${port} is held twice by what runs or waits`)
}

/**
 * Invariant: the metered time of a server that was warm begins with its match. The time as a warm server is metered
 * separately.
 */
export const waitingCostsNothing: Invariant = ({ now }) =>
  [...now.servers.values()].flatMap(({ id, fromWarm, runningAt, createdAt }) =>
    fromWarm === true && runningAt !== null && runningAt < createdAt
      ? [`${id} is metered from before it was wanted`]
      : [],
  )

/** Invariant: warm servers take no capacity from running servers. */
export const warmServersGiveWay: Invariant = ({ now }) =>
  [...now.maxServers].flatMap(([nodeId, limit]) => {
    const waiting = now.waiting.filter((one) => one.nodeId === nodeId).length
    const running = now.alive.filter((one) => one.nodeId === nodeId).length
    return waiting === 0 || running + waiting <= limit
      ? []
      : [`${nodeId} runs ${running}, ${waiting} wait, ${limit} fit`]
  })

/** Invariant: at the end of a run, there are no more warm servers than the queues ask for. */
export const noWarmServerIsUnwanted: Invariant = ({ now }) => {
  const wanted = new Map<string, number>()
  for (const queue of now.queues.values()) {
    const { key, buffer, min } = askedBy(queue, now.place.buildIds[0] ?? '')
    if (key !== undefined) wanted.set(key, (wanted.get(key) ?? 0) + Math.max(buffer, min))
  }
  const nodes = new Set(now.waiting.map(({ nodeId }) => nodeId).filter((nodeId) => !now.gone.has(nodeId)))
  return [...nodes].flatMap((nodeId) => {
    const here = now.waiting.filter((one) => one.nodeId === nodeId)
    return [...new Set(here.map(({ server }) => server.key))].flatMap((key) => {
      const count = here.filter(({ server }) => server.key === key).length
      const asked = wanted.get(key) ?? 0
      return count <= asked ? [] : [`${count} wait on ${nodeId} of a pool of which ${asked} are asked for`]
    })
  })
}

function askedBy({ projectId, enabled, serverSettings }: Queue, buildId: string) {
  const { warm, versionTag, source, region = DEFAULT_REGION, tier = DEFAULT_TIER } = serverSettings ?? {}
  const { buffer = 1, min = 0 } = warm ?? {}
  if (warm === undefined || !enabled || versionTag !== 'arena' || source === 'external') {
    return { key: undefined, buffer, min }
  }
  const { startupArgs = '', networkPorts: portRequests = [], readiness = 'port' } = serverSettings ?? {}
  const build = { type: 'docker_image', buildId, image: '' } as const
  const shape = { projectId, region, tier, tierSize: TIER_SIZES[tier], build, startupArgs, portRequests, readiness }
  return { key: warmKey(shape), buffer, min }
}
