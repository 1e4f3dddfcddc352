import type { Queue } from '../../queue/queue'

/** Whether a queue is among those that `queues.listWarm` tells: a column of an adapter's table. */
export const asksForWarm = ({ serverSettings }: Pick<Queue, 'serverSettings'>): boolean =>
  serverSettings?.warm !== undefined
