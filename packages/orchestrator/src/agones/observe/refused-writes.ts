import type { Clock, Logger } from '@matchyard/core/ports'
import { ApiRefusal, isJudgement } from '../kube/errors'
import type { GameServerItem } from '../kube/shapes'
import { NotedTimes } from './noted-times'

/** Milliseconds after a refused write before the next try. */
const REFUSED_FOR_MS = 60_000

/** Runs writes to game server objects, with a pause after each write that the cluster refuses. */
export class RefusedWrites {
  /** By game server: the time of its last refused write. */
  readonly refusedAt = new NotedTimes()

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Calls `write`, except in the 60 seconds after a refused write to the same game server. A refusal is logged and does
   * not reject, so that the game servers are still reported.
   */
  async unlessRefused(server: GameServerItem, write: () => Promise<unknown>): Promise<void> {
    const now = this.clock.now()
    if (now < (this.refusedAt.of(server) ?? Number.NEGATIVE_INFINITY) + REFUSED_FOR_MS) return
    try {
      await write()
      this.refusedAt.forget(server)
    } catch (error) {
      if (!(error instanceof ApiRefusal) || !isJudgement(error)) throw error
      this.refusedAt.note(server, now)
      const words = { game_server: server.metadata.name, error: error.message }
      this.logger.warn('the cluster refuses a note on a game server', words)
    }
  }
}
