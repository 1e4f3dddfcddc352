import type { Service } from '../../node/service'
import { queueKey } from '../../queue/queue'
import type { QueueAnswer } from '../../reads/queue-warnings'
import { type CreateQueueInput, createQueue } from './create-queue'
import { updateQueue } from './update-queue'

/** Attempts to find the queue, or to create it, while other processes create and delete it. */
const MAX_TRIES = 3

/**
 * Returns the queue with the given settings: creates it, or changes the given settings that differ. Settings that the call omits keep their
 * values. Several processes may call it at the same time; the last call wins. Throws the errors of `createQueue` and `updateQueue`.
 */
export async function ensureQueue(ctx: Service, input: CreateQueueInput): Promise<QueueAnswer> {
  const { projectId, queueId, by, ...changes } = input
  const isThere = async () => (await ctx.storage.get('queue', queueKey(projectId, queueId))) !== undefined
  for (let tries = 1; ; tries++) {
    const exists = await isThere()
    try {
      return await (exists
        ? updateQueue(ctx, { projectId, queueId, changes, ...(by === undefined ? {} : { by }) })
        : createQueue(ctx, input))
    } catch (error) {
      // Another process may have created or deleted the queue between the look-up and the commit.
      if (tries === MAX_TRIES || (await isThere()) === exists) throw error
    }
  }
}
