import type { MatchmakingConfig } from '@matchyard/matchmaking'
import type { Queue } from './queue'

/** A queue's matchmaking as the engine reads it. */
export function engineConfig({ matchmaking, serverSettings }: Queue): MatchmakingConfig {
  const { backfill, timeoutSeconds: _, readyCheck: __, ...config } = matchmaking ?? {}
  const priority = backfill?.priority === undefined ? {} : { backfillPriority: backfill.priority }
  return { ...config, ...priority, serverRegion: serverSettings?.region ?? null }
}
