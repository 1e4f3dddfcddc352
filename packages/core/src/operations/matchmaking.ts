import { type CallsOf, embedded } from './operation'
import type { Running } from './running'

/** Matchmaking, run one tick at a time. */
export const matchmaking = {
  /** Runs one matchmaking tick of a queue, named `{projectId}/{queueId}`. A started service runs the ticks itself. */
  runQueue: embedded({
    run: ({ directors }: Running, queueKey: string) => directors.run(queueKey),
  }),
}

/**
 * Matchmaking, run one tick at a time.
 *
 * @interface
 */
export type Matchmaking = CallsOf<typeof matchmaking>
