import type { Queue } from '../../queue/queue'

/** Whether `queues.listWarm` returns the queue; for a column of an adapter's table. */
export const asksForWarm = ({ serverSettings }: Pick<Queue, 'serverSettings'>): boolean =>
  serverSettings?.warm !== undefined
