import type { GameServer } from '@matchyard/core'
import { isLive, SERVER_TRANSITIONS } from '@matchyard/core/domain'
import { type Invariant, twice } from './invariant'

/** Two live servers never hold one external port. */
export const portsAreUnique: Invariant = ({ now }) => {
  const held = [...now.servers.values()]
    .filter(isLive)
    .flatMap((server) => server.networkPorts.map((port) => `${port.host} ${port.protocol} ${port.externalPort}`))
  return [...twice(held, (port) => port).keys()].map((port) => `two live servers hold ${port}`)
}

/**
 * An instance runs once: on a machine, the process before is gone before the next one is spawned. On another machine one may be
 * left whose node stood still past its claim while a launch was taken over: under an attempt that the record has given up. One whose
 * spawning was forgotten, because the storage went back, is a stray.
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
      const live = others.filter(({ process }) => record === undefined || process.attempt >= record.attempt)
      return live.map(({ nodeId, process }) => `${id} runs elsewhere too, as ${nodeId}#${process.attempt}`)
    }),
  ]
}

/** The orchestrator is only asked for what its port allows. */
export const theOrchestratorIsUsedAsAgreed: Invariant = ({ now, before }) =>
  now.misuse.slice(before?.misuse.length ?? 0).map((what) => what)

/** Seconds are metered once: an interval begins at running, ends at the end, and neither is moved afterwards. */
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

/** Status follows status by a row of the table, in one commit per version. */
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
 * Whose process takes players, or has said so and was heard, is not given up as one that did not come up. One that looks miss, on a node
 * that is gone, or of a history that never was, is not to be seen.
 */
export const whoIsReadyIsNotGivenUp: Invariant = ({ now, before }) =>
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
