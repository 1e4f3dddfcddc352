import { queueRoomCounter } from '../commit/counters'
import type { Ports } from '../ports/ports'
import type { ProjectProblem } from '../project/problem'
import type { Queue } from '../queue/queue'
import { counted } from '../shared/counted'
import { sentenceOf } from './sentence'

/** Returns a problem for each queue whose matches wait for the capacity of a node. */
export async function waitingForRoom(ctx: Ports, queues: readonly Queue[]): Promise<ProjectProblem[]> {
  const found = queues.map(async ({ id, queueId }): Promise<ProjectProblem[]> => {
    const servers = await ctx.storage.counters.read(queueRoomCounter(id))
    if (servers <= 0) return []
    const since = (await ctx.storage.servers.waitingSince(id)) ?? ctx.clock.now()
    const waits = servers === 1 ? 'waits' : 'wait'
    return [
      {
        code: 'waiting_for_room',
        severity: 'warning',
        sentence: sentenceOf(
          queueId,
          `${counted(servers, 'server')} ${waits} for capacity: all nodes are full`,
          'Add a node, or raise MAX_SERVERS, MAX_SERVER_CPUS or MAX_SERVER_MEMORY_MB.',
        ),
        subject: { kind: 'queue', id: queueId },
        since,
        count: servers,
        details: {},
      },
    ]
  })
  return (await Promise.all(found)).flat()
}
