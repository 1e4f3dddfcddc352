import type { CallOptions } from '../../commit/call-options'
import { queueLobbyCounter } from '../../commit/counters'
import { Draft } from '../../commit/draft'
import { removeQueue } from '../../commit/rows/queue'
import { transact } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { OnQueue } from '../../queue/on-queue'
import { versionsOf } from '../../reads/queue-versions'
import { requireQueue } from '../../reads/require'

export async function deleteQueue(ctx: Service, input: OnQueue, call?: CallOptions): Promise<void> {
  await transact(ctx, call, async () => {
    const queue = await requireQueue(ctx, input.projectId, input.queueId)
    const { queueId } = queue
    const lobbies = await ctx.storage.counters.read(queueLobbyCounter(queue.id))
    const inUse = new ServiceError(
      'QUEUE_IN_USE',
      `queue ${queueId} still has lobbies; disable it and wait until they end, or delete them`,
    )
    if (lobbies > 0) throw inUse
    // The commit checks the counter again. It fails when a lobby was created since the check above; a lobby that is created later finds no
    // queue.
    const draft = new Draft(ctx.clock.now()).counter(queueLobbyCounter(queue.id), 0, 0)
    removeQueue(draft, queue, await versionsOf(ctx, queue))
    return { draft, answer: null, onConflict: ({ on }) => (on === 'limit' ? inUse : undefined) }
  })
}
