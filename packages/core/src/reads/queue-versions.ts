import type { Ports } from '../ports/ports'
import type { Queue } from '../queue/queue'
import { QUEUE_VERSIONS_KEPT, type QueueVersion, queueVersionId } from '../queue/queue-version'

/** Returns the stored versions of a queue, newest first. Their ids contain the version number, so the storage need not search for them. */
export async function versionsOf(ctx: Ports, queue: Queue): Promise<QueueVersion[]> {
  const ids = Array.from({ length: Math.min(QUEUE_VERSIONS_KEPT, queue.version) }, (_, back) =>
    queueVersionId(queue, queue.version - back),
  )
  const versions = await ctx.storage.getMany('queue-version', ids)
  return versions.sort((a, b) => b.number - a.number)
}
