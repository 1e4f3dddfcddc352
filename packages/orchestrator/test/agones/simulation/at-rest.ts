import { gameServerName } from '../../../src/agones/names'
import { GAMESERVERS, PODS, SECRETS } from '../../../src/agones/testing/index'
import type { Violation } from './audit'
import { isWaiting } from './pools-at-rest'
import { KEPT_ENDED } from './service'
import type { World } from './world'

/**
 * Milliseconds for which a lost server may be billed after its end, beside outages and troubles that hinder calls: the
 * wait for an observation that succeeds, and the observation itself.
 */
const UNSEEN_MS = 40_000

/** Returns the violations once all troubles are over and every deadline has passed. */
export function whatIsWrongAtRest({ audit, containers, cluster, network, troubles, matches }: World): Violation[] {
  const found = matches.whatIsWrongAtRest()
  const broke = (invariant: string, message: string) => found.push({ invariant, message })
  const live = new Map(audit.live.map((server) => [server.id, server]))
  for (const { id, status, stopReason } of live.values()) {
    if (status === 'launching' || status === 'stopping')
      broke('noServerIsStuck', `${id} is stuck in ${status} (${stopReason})`)
  }
  for (const { instanceId, attempt } of containers.alive) {
    const record = live.get(instanceId)
    if (record?.attempt !== attempt) broke('noProcessIsAnOrphan', `${instanceId}#${attempt} runs and no record says so`)
  }
  for (const { id, attempt, status, relaunchAt, networkPorts } of live.values()) {
    const container = containers.of(id, attempt)
    if (status !== 'running' || relaunchAt !== null) continue
    if (container?.endedAt !== undefined || container === undefined)
      broke('noServerIsAGhost', `${id} is running without a process`)
    else {
      const ports = networkPorts.map(({ externalPort }) => externalPort)
      if (ports.join() !== container.hostPorts.join())
        broke('playersAreToldTheRightPorts', `${id}: ${ports.join()} is ${container.hostPorts.join()}`)
    }
  }
  const names = new Set(
    containers.alive.flatMap(({ name, instanceId, attempt }) => [
      name,
      gameServerName('simulated', instanceId, attempt),
    ]),
  )
  for (const resource of [GAMESERVERS, PODS, SECRETS]) {
    for (const object of cluster.api.store.list(resource)) {
      const { metadata } = object
      // Game servers that wait are judged with their pool.
      const server = resource === PODS ? cluster.api.store.find(GAMESERVERS, metadata.namespace, metadata.name) : object
      if (resource !== SECRETS && server !== undefined && isWaiting(server)) continue
      if (names.has(metadata.name) || (resource === SECRETS && metadata.name.endsWith('-ended'))) continue
      broke(
        'nothingIsLeftInTheCluster',
        `${resource.kind} ${metadata.name} is left${metadata.deletionTimestamp === undefined ? '' : ', being deleted'}`,
      )
    }
  }
  for (const { id, runningAt, stoppedAt } of audit.records.values()) {
    if (runningAt === null || stoppedAt === null) continue
    const own = containers.all.filter(({ instanceId }) => instanceId === id)
    const begins = Math.min(...own.map(({ startedAt }) => startedAt))
    const ends = Math.max(...own.map(({ endedAt }) => endedAt ?? Number.POSITIVE_INFINITY))
    if (runningAt < begins) broke('eachSecondIsBilledOnce', `${id} is billed from before it ran`)
    const hinderedMs = network.awayMs(ends, stoppedAt) + troubles.hinderedMs(ends, stoppedAt)
    if (stoppedAt > ends + UNSEEN_MS + hinderedMs)
      broke('eachSecondIsBilledOnce', `${id} is billed for ${stoppedAt - ends} ms after its end`)
  }
  return found
}

/** Returns the violations once everything was stopped. */
export function whatIsWrongInTheEnd(world: World): Violation[] {
  const living = world.audit.live.map(({ id, status }) => `${id} was stopped and is ${status}`)
  const stuck = living.map((message) => ({ invariant: 'noServerIsStuck', message }))
  return [...whatIsWrongAtRest(world), ...stuck, ...world.matches.whatIsWrongInTheEnd()]
}

/** Returns a violation if the service has pruned its notes and still keeps more than its bound. */
export function notesAreBounded({ cluster }: World): Violation | undefined {
  const notes = cluster.api.store.list(SECRETS).length
  return notes > KEPT_ENDED ? { invariant: 'notesAreBounded', message: `${notes} notes are kept` } : undefined
}
