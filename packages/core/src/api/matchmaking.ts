import type { Tick } from '../director/run-queue'

/** Matchmaking, a tick at a time. */
export interface Matchmaking {
  /** One tick of a queue, by `{projectId}/{queueId}`; the running service does this by itself. */
  runQueue(queueKey: string): Promise<Tick>
}
