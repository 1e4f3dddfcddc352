import { type CallsOf, embedded } from './operation'
import type { Running } from './running'

/** Matchmaking, a tick at a time. */
export const matchmaking = {
  /** One tick of a queue, by `{projectId}/{queueId}`; the running service does this by itself. */
  runQueue: embedded({
    run: ({ directors }: Running, queueKey: string) => directors.run(queueKey),
  }),
}

/** Matchmaking, a tick at a time. */
export type Matchmaking = CallsOf<typeof matchmaking>
