import type { Account } from '../../account/account'
import { serverQuota } from '../../billing/limits'
import { queueKey } from '../../queue/queue'
import type { ServerEvent } from '../../server/events'
import { evolveServerAll } from '../../server/evolve'
import { type GameServer, isLive, isWaiting } from '../../server/game-server'
import {
  buildServerCounter,
  lineCounter,
  projectServerCounter,
  queueRoomCounter,
  queueWarmCounter,
  serverCounter,
} from '../counters'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'

/** Adds a new server. The commit fails when the account's plan allows no more live servers. */
export function putServer(draft: Draft, server: GameServer, account: Account): GameServer {
  const { id: instanceId, projectId, matchId } = server
  draft.counter(serverCounter(server.accountId), 1, serverQuota(account))
  draft.create('server', server)
  count(draft, undefined, server)
  draft.tell({ type: 'server_created', instanceId, matchId, projectId })
  draft.job(...followUps.serverCreated(server, draft.at))
  return server
}

/**
 * Applies events to a server: adds the row, the counters, the follow-up jobs and the domain events to the draft. Returns the next state.
 */
export function writeServer(draft: Draft, before: GameServer, events: readonly ServerEvent[]): GameServer {
  const after = evolveServerAll(before, events, draft.at)
  if (after === before) return before
  draft.replace('server', before, after)
  if (isLive(before) && !isLive(after)) draft.counter(serverCounter(after.accountId), -1)
  count(draft, before, after)
  const { id: instanceId, projectId, matchId } = after
  for (const event of events) {
    draft.tell({ ...event, projectId, instanceId, matchId }).job(...followUps.server(after, event, draft.at))
  }
  return after
}

/**
 * Updates the counters of a server: the live servers of its project and of its build, the servers that wait for capacity, and the live
 * servers that were warm. The commit that deletes a project or build checks the number of its live servers.
 */
function count(draft: Draft, before: GameServer | undefined, after: GameServer): void {
  const was = before === undefined ? [] : standsOn(before)
  const is = standsOn(after)
  for (const id of was) if (!is.includes(id)) draft.counter(id, -1)
  for (const id of is) if (!was.includes(id)) draft.counter(id, 1)
}

function standsOn(server: GameServer): string[] {
  if (!isLive(server)) return []
  const project = projectServerCounter(server.projectId)
  const build = server.buildId === null ? [] : [buildServerCounter(server.buildId)]
  return [project, ...build, ...waitsIn(server), ...cameFrom(server)]
}

const cameFrom = ({ fromWarm, projectId, queueId }: GameServer): string[] =>
  fromWarm === true && queueId !== null ? [queueWarmCounter(queueKey(projectId, queueId))] : []

function waitsIn(server: GameServer): string[] {
  if (!isWaiting(server)) return []
  const { projectId, queueId, region, room } = server
  const line = room?.orchestrator == null ? [] : [lineCounter(room.orchestrator, region)]
  return queueId === null ? line : [queueRoomCounter(queueKey(projectId, queueId)), ...line]
}
