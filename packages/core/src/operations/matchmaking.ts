import { type CallsOf, embedded } from './operation'
import type { Running } from './running'

/** Matchmaking, a tick at a time. */
export const matchmaking = {
  /** Runs one matchmaking tick of a queue, named `{projectId}/{queueId}`. The running service does this by itself. */
  runQueue: embedded({
    run: ({ directors }: Running, queueKey: string) => directors.run(queueKey),
  }),
}

/** Matchmaking, a tick at a time. */
export type Matchmaking = CallsOf<typeof matchmaking>
