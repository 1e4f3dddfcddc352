import type { Lobby } from '../lobby/lobby'
import { memberOf } from '../lobby/members'
import type { Service } from '../node/service'
import { queueKey } from '../queue/queue'
import { isAbsentSince } from './absence'

/**
 * Returns the ids of the lobbies in `waiting` whose host is absent: a client key named the host last, and the host was not heard for the
 * presence timeout of the queue. One call reads the presence of all hosts that have to be known.
 */
export async function lobbiesWithoutHost(
  ctx: Service,
  projectId: string,
  lobbies: readonly Lobby[],
): Promise<ReadonlySet<string>> {
  const waiting = lobbies.filter(({ status }) => status === 'waiting')
  if (waiting.length === 0) return new Set()
  const isAbsentIn = await absenceByQueue(ctx, waiting)
  // The records of a host who has just joined may not be written yet.
  const asked = waiting.filter((lobby) => isAbsentIn(lobby, hostOf(lobby)?.joinedAt ?? lobby.createdAt))
  const hosts = new Set(asked.map(({ hostPlayerId }) => hostPlayerId))
  const heard = await ctx.node.presence.lastHeard(projectId, [...hosts])
  const absent = asked.filter((lobby) => {
    const last = heard.get(lobby.hostPlayerId)
    // A host without a record was silent for long, so the lobby tells which kind of caller brought the host.
    return last === undefined ? hostOf(lobby)?.byClient === true : last.by === 'client' && isAbsentIn(lobby, last.at)
  })
  return new Set(absent.map(({ id }) => id))
}

const hostOf = (lobby: Lobby) => memberOf(lobby, lobby.hostPlayerId)

const keyOf = ({ projectId, queueId }: Lobby) => queueKey(projectId, queueId)

/** Returns a function that compares a time since which a host is silent with the presence timeout of the lobby's queue. */
async function absenceByQueue(ctx: Service, lobbies: readonly Lobby[]) {
  const queues = await ctx.storage.getMany('queue', [...new Set(lobbies.map(keyOf))])
  const byKey = new Map(queues.map((queue) => [queue.id, queue]))
  return (lobby: Lobby, since: number): boolean => {
    const queue = byKey.get(keyOf(lobby))
    return queue !== undefined && isAbsentSince(ctx, queue, since)
  }
}
