import type { Clock, Logger } from '@matchyard/core/ports'
import { ApiRefusal, isJudgement } from '../kube/errors'
import type { GameServerItem } from '../kube/shapes'
import { NotedTimes } from './noted-times'

/** What the cluster will not have written is not asked for again before. */
const REFUSED_FOR_MS = 60_000

/** What the cluster refuses to have written about game servers. */
export class RefusedWrites {
  /** When the cluster refused what was to be written about one. */
  readonly refusedAt = new NotedTimes()

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** What the cluster will not have written about one is no reason to tell nothing of any: it is tried again, if not at each look. */
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
