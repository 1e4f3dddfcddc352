import type { Queue, QueuesCreateBody } from '../api/types'
import { isMatchyardError } from '../errors'
import { PlainQueues } from './resources'

/** Queues of the project. Only a client with a server key may use these calls. */
export class Queues extends PlainQueues {
  /** Creates the queue, or updates the queue with this id to these settings. For use in deployments. */
  async ensure(queue: QueuesCreateBody): Promise<Queue> {
    const { queue_id: id, ...settings } = queue
    try {
      return await this.create(queue)
    } catch (error) {
      if (!isMatchyardError(error, 'QUEUE_EXISTS')) throw error
      return this.update(id, settings)
    }
  }
}
