import type { Region } from '../catalog/regions'
import { queueRoomCounter } from '../commit/counters'
import { nobodyServes } from '../machine/machine'
import type { Service } from '../node/service'
import type { ProjectProblem } from '../project/problem'
import { type Queue, queueKey } from '../queue/queue'
import { liveMachines, unserved } from '../reads/machines'
import { counted } from '../shared/counted'
import { sentenceOf } from './sentence'

/** Returns a problem for each queue whose matches wait for the capacity of a node. */
export async function waitingForRoom(ctx: Service, queues: readonly Queue[]): Promise<ProjectProblem[]> {
  const found = queues.map(async ({ id, queueId }): Promise<ProjectProblem[]> => {
    const servers = await ctx.storage.counters.read(queueRoomCounter(id))
    if (servers <= 0) return []
    const since = (await ctx.storage.servers.waitingSince(id)) ?? ctx.clock.now()
    const waits = servers === 1 ? 'waits' : 'wait'
    const region = await regionWithoutMachine(ctx, id)
    const why = region === undefined ? 'all nodes are full' : nobodyServes(region, liveMachines(ctx))
    const advice =
      region === undefined
        ? 'Add a node, or raise MAX_SERVERS, MAX_SERVER_CPUS or MAX_SERVER_MEMORY_MB.'
        : `Add a machine with ${region} in REGIONS, or set REGION_FALLBACK=any.`
    return [
      {
        code: 'waiting_for_room',
        severity: 'warning',
        sentence: sentenceOf(queueId, `${counted(servers, 'server')} ${waits} for capacity: ${why}`, advice),
        subject: { kind: 'queue', id: queueId },
        since,
        count: servers,
        details: region === undefined ? {} : { region },
      },
    ]
  })
  return (await Promise.all(found)).flat()
}

/** Returns the region without a machine of a server of the queue that is first in its waiting line; undefined when there is none. */
async function regionWithoutMachine(ctx: Service, id: string): Promise<Region | undefined> {
  const { name } = ctx.orchestrator
  const first = await ctx.storage.servers.firstInLine(name)
  const mine = first.filter(({ projectId, queueId }) => queueId !== null && queueKey(projectId, queueId) === id)
  const [region] = await unserved(
    ctx,
    mine.map((server) => server.region),
  )
  return region
}
