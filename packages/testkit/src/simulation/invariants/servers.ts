import type { GameServer } from '@matchyard/core'
import { isLive, SERVER_TRANSITIONS } from '@matchyard/core/domain'
import { transportsOf } from '@matchyard/core/ports'
import { type Invariant, twice } from './invariant'

/** Invariant: two live servers never have the same external port. */
export const portsAreUnique: Invariant = ({ now }) => {
  const held = [...now.servers.values()]
    .filter(isLive)
    .flatMap(({ networkPorts }) => networkPorts)
    .flatMap(({ host, protocol, externalPort }) =>
      transportsOf(protocol).map((transport) => `${host} ${transport} ${externalPort}`),
    )
  return [...twice(held, (port) => port).keys()].map((port) => `two live servers hold ${port}`)
}

/**
 * Invariant: an instance has one process at a time. On one machine, the old process ends before the next process is
 * spawned. On another machine, an old process may remain: the claim of its node expired while the node was paused, and
 * another node took over the launch. The attempt of such a process is then lower than the recorded attempt, or the record
 * says that the attempt was given up. A process is also allowed as a stray when the storage returned to an earlier state and lost the record of its spawn.
 */
export const anInstanceRunsOnce: Invariant = ({ now }) => {
  const recorded = now.alive.filter(({ process }) => !process.ofLostHistory)
  return [
    ...[...twice(recorded, ({ nodeId, process }) => `${process.instanceId} on ${nodeId}`)].map(
      ([id, all]) => `${id} runs ${all.length} times: ${all.map(({ process }) => `#${process.attempt}`).join(', ')}`,
    ),
    ...[...twice(recorded, ({ process }) => process.instanceId)].flatMap(([id, all]) => {
      const record = now.servers.get(id)
      const others = all.filter(({ nodeId }) => nodeId !== record?.nodeId)
      const live = others.filter(({ process }) => record === undefined || !isGivenUp(record, process.attempt))
      return live.map(({ nodeId, process }) => `${id} runs elsewhere too, as ${nodeId}#${process.attempt}`)
    }),
  ]
}

/** Whether the record says that an attempt is over, so that a process of it is stopped as a stray. */
const isGivenUp = ({ attempt: recorded, nodeId, attemptOpen }: GameServer, attempt: number): boolean =>
  attempt < recorded || (attempt === recorded && nodeId === null && !attemptOpen)

/** Invariant: the core calls the orchestrator only in allowed ways. */
export const noRunningProcessIsForgotten: Invariant = ({ now, before }) =>
  now.misuse.slice(before?.misuse.length ?? 0).map((what) => what)

/**
 * Invariant: each second is metered once. The metered interval begins when the server runs and ends when the server
 * ends. Neither time changes afterwards.
 */
export const metersRunForward: Invariant = ({ now, before }) =>
  [...now.servers.values()].flatMap((server) => {
    const { id, status, runningAt, stoppedAt } = server
    const over = status === 'stopped' || status === 'failed'
    if ((stoppedAt !== null) !== over) return [`${id} is ${status} and stopped at ${stoppedAt}`]
    if (runningAt === null && status === 'running') return [`${id} runs without a meter`]
    if (runningAt !== null && stoppedAt !== null && stoppedAt < runningAt) return [`${id} stopped before it ran`]
    if ((stoppedAt ?? 0) > now.at || (runningAt ?? 0) > now.at) return [`${id} is metered into the future`]
    const was = before?.servers.get(id)
    if (was === undefined) return []
    const kept = (was.runningAt ?? runningAt) === runningAt && (was.stoppedAt ?? stoppedAt) === stoppedAt
    return kept ? [] : [`the meter of ${id} was moved`]
  })

/** Invariant: each change of a server's status is in the table of transitions, and each commit adds one version. */
export const aServerFollowsItsTable: Invariant = ({ now, before }) => {
  const allowed = new Set<string>(SERVER_TRANSITIONS.map(({ from, to }) => `${from} ${to}`))
  const follows = (was: GameServer, is: GameServer) =>
    was.status === is.status || (is.version === was.version + 1 && allowed.has(`${was.status} ${is.status}`))
  return [...now.servers.values()].flatMap((server) => {
    const was = before?.servers.get(server.id)
    return was === undefined || follows(was, server) ? [] : [`${server.id} went from ${was.status} to ${server.status}`]
  })
}

/**
 * Invariant: a server does not fail as "not ready" when its process accepts players, or when the service acknowledged
 * the server's own report that it is ready. The invariant excepts processes that cannot be observed: overlooked
 * processes, processes of lost nodes, and processes whose records were lost when the storage returned to an earlier
 * state.
 */
export const readyServersAreNotEnded: Invariant = ({ now, before }) =>
  (before?.alive ?? []).flatMap(({ nodeId, process }) => {
    const { instanceId: id, attempt } = process
    const was = before?.servers.get(id)
    if (was?.status !== 'running' || was.nodeId !== nodeId || was.attempt !== attempt) return []
    if (process.state !== 'ready' && process.ownWord !== 'heard') return []
    const isHidden = process.overlookedUntil !== undefined || process.ofLostHistory || now.gone.has(nodeId)
    const goesOn = now.alive.some((one) => one.process.instanceId === id && one.process.attempt === attempt)
    if (isHidden || !goesOn || process.end !== undefined) return []
    const is = now.servers.get(id)
    const isCrash = is?.status === 'running' && is.crashesInARow > was.crashesInARow
    const isEnd = is?.status === 'failed' && /was not ready within/.test(is.stopReason ?? '')
    return isCrash || isEnd ? [`${id}#${attempt} takes players, and its record says that it came to nothing`] : []
  })
