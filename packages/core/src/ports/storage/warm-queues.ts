import type { Queue } from '../../queue/queue'

/** Whether `queues.listWarm` returns the queue, because it keeps warm servers; for a column of an adapter's table. */
export const asksForWarm = ({ serverSettings }: Pick<Queue, 'serverSettings'>): boolean =>
  serverSettings?.warm !== undefined
