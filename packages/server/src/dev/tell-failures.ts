import type { Matchyard } from '@matchyard/core'
import type { Logger } from '@matchyard/core/ports'

/** Of what a game server said last. */
const LAST_LINES = 8

/** Says in the terminal what became of a game server that failed, and what it said last: its developer sits in front of it. */
export function tellFailures(matchyard: Matchyard, logger: Logger): void {
  matchyard.events.on('server_failed', ({ projectId, instanceId, stopReason }) => {
    void lastLines(matchyard, { projectId, instanceId }).then((lines) => {
      logger.warn(`a game server failed: ${stopReason}`, { instance_id: instanceId })
      for (const line of lines) logger.warn(`  | ${line}`)
    })
  })
}

/** None where they cannot be read: the reason is told anyway. */
async function lastLines(
  matchyard: Matchyard,
  { projectId, instanceId }: { readonly projectId: string; readonly instanceId: string },
): Promise<readonly string[]> {
  try {
    const lines = await matchyard.servers.logs({ projectId, instanceId, limit: LAST_LINES })
    return lines.map(({ message }) => message)
  } catch {
    return []
  }
}
