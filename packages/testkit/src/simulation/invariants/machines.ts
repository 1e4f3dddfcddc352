import type { GameServer } from '@matchyard/core'
import { isOwned, NODE_GONE, takesServers } from '@matchyard/core/domain'
import type { Invariant } from './invariant'

/** Returns the node that launches the server with an attempt that the earlier state did not have; undefined without one. */
const newLaunchOn = (server: GameServer, was: GameServer | undefined): string | undefined =>
  server.status === 'launching' && server.attemptOpen && server.attempt !== was?.attempt
    ? (server.nodeId ?? undefined)
    : undefined

/** Invariant: no launch is recorded on a machine that is cordoned, draining or drained, or that pauses. */
export const closedMachinesGetNoServer: Invariant = ({ now, before }) =>
  [...now.servers.values()].flatMap((server) => {
    const nodeId = newLaunchOn(server, before?.servers.get(server.id))
    const [was, machine] = [before?.machineRecords.get(nodeId ?? ''), now.machineRecords.get(nodeId ?? '')]
    // A machine whose record changed in the same step may have been open at the launch, and also one whose pause ended in it.
    if (before === undefined || machine === undefined || was?.version !== machine.version) return []
    return takesServers(machine, now.at) ? [] : [`${server.id} was launched on ${nodeId}, which is ${machine.status}`]
  })

/** Invariant: a drained machine has no servers. */
export const drainedMachinesAreEmpty: Invariant = ({ now }) =>
  [...now.servers.values()].filter(isOwned).flatMap(({ id, nodeId, status }) => {
    const machine = now.machineRecords.get(nodeId)
    return machine?.status === 'drained' ? [`${id} is ${status} on ${nodeId}, which is drained`] : []
  })

/** Milliseconds without a heartbeat after which a node of the simulator is lost, less the time between two heartbeats. */
const LOST_AFTER_MS = 30_000 - 6_000

/** Invariant: a game server is given up with its node only when that node sent no heartbeat for long. So no match is lost but on a lost machine. */
export const onlyLostMachinesLoseMatches: Invariant = ({ now, before }) =>
  [...now.servers.values()].flatMap(({ id, nodeId, stopReason }) => {
    const was = before?.servers.get(id)
    if (was === undefined || was.nodeId === null || was.stopReason === NODE_GONE || stopReason !== NODE_GONE) return []
    const silentMs = now.silences.get(was.nodeId) ?? Number.POSITIVE_INFINITY
    return silentMs >= LOST_AFTER_MS
      ? []
      : [`${id} was given up with ${nodeId}, which sent a heartbeat ${silentMs / 1_000} s ago`]
  })
