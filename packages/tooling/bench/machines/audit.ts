import type { GameServer } from '@matchyard/core'
import { percentiles } from '../../src/many-nodes/percentiles'
import type { Crowd } from './crowd'
import { type Ground, REGIONS } from './ground'
import { repeated } from './player'
import { LOST_MACHINE } from './story'

export interface Verdict {
  readonly broken: readonly string[]
  readonly figures: readonly string[]
}

/** Whether a match came to its own end: its game server exited with 0. */
const endedItself = ({ status, exitCode }: GameServer): boolean => status === 'stopped' && exitCode === 0

const numberOf = (nodeId: string | null): number => Number(nodeId?.slice('node-'.length) ?? Number.NaN)

/**
 * Judges all matches of the proof. Each ran where its players are, and each came to its own end, except matches on the
 * machine that was killed. `killed` are servers that the proof itself killed.
 */
export async function audit(ground: Ground, crowd: Crowd, killed: readonly string[]): Promise<Verdict> {
  const servers = (await ground.servers()).filter(({ matchId }) => matchId !== null)
  const hostOf = (server: GameServer) => ground.networks.placeOf(numberOf(server.nodeId)).host
  const byId = new Map(servers.map((server) => [server.id, server]))
  const misplaced = servers.filter(({ nodeId, region }) => nodeId !== null && REGIONS[numberOf(nodeId)] !== region)
  const strangers = crowd.seen.filter(({ instanceId, regions, host }) => {
    const server = byId.get(instanceId)
    return server === undefined || !regions.includes(server.region) || hostOf(server) !== host
  })
  const unended = servers.filter((server) => !endedItself(server) && !killed.includes(server.id))
  // A player may greet a game server at the moment at which its machine is killed.
  const ended = new Set(unended.map(({ id }) => id))
  const unreached = crowd.seen.filter(({ isReached, instanceId }) => !isReached && !ended.has(instanceId))
  const lost = unended.filter(({ nodeId }) => nodeId !== LOST_MACHINE)
  const broken = [
    ...crowd.turnedAway.map((why) => `a player got no match: ${why}`),
    ...misplaced.map(({ id, region, nodeId }) => `${id} of ${region} ran on ${nodeId}`),
    ...strangers.map(({ instanceId, regions }) => `players of ${regions.join()} played on ${instanceId}`),
    ...unreached.map(({ instanceId, host }) => `${instanceId} did not answer at ${host}`),
    ...lost.map(({ id, nodeId, status, stopReason }) => `${id} on ${nodeId} was lost: ${status}, ${stopReason}`),
  ]
  const perMachine = REGIONS.map(
    (region, machine) =>
      `node-${machine} (${region}) ${servers.filter((one) => numberOf(one.nodeId) === machine).length}`,
  )
  const attempts = servers.filter(({ attempt }) => attempt > 1).length
  const figures = [
    `${servers.length} matches: ${perMachine.join(', ')}`,
    `${crowd.seen.length} players played; ${crowd.seen.filter(({ isReached }) => isReached).length} reached their game server at its address`,
    `search to game: ${percentiles(crowd.seen.map(({ waitedMs }) => waitedMs))} ms`,
    `${attempts} servers needed more than one attempt; players repeated ${repeated.calls} calls on another node`,
    `${unended.length} matches ended with the machine that was killed, ${lost.length} others were lost`,
  ]
  return { broken, figures }
}
