import type { JsonObject, Matchyard } from '@matchyard/core'
import type { Logger } from '@matchyard/core/ports'

/** Number of a game server's last log lines. */
const LAST_LINES = 8

interface OneServer {
  readonly projectId: string
  readonly instanceId: string
}

/** Says in the terminal what became of a game server that failed, and what it said last: its developer sits in front of it. */
export function tellFailures(matchyard: Matchyard, logger: Logger): void {
  matchyard.events.on('server_failed', ({ projectId, instanceId, stopReason }) => {
    const server = { projectId, instanceId }
    void Promise.all([origin(matchyard, server), lastLines(matchyard, server)]).then(([from, lines]) => {
      logger.warn(`a game server failed: ${stopReason}`, { ...from, instance_id: instanceId })
      for (const line of lines) logger.warn(`  | ${line}`)
    })
  })
}

/** Returns the build that the server ran and the queue that it ran for; nothing where they cannot be read. */
async function origin(matchyard: Matchyard, server: OneServer): Promise<JsonObject> {
  try {
    const { versionTag, buildVersion, queueId } = await matchyard.servers.get(server)
    return {
      build: versionTag,
      ...(buildVersion === null ? {} : { version: buildVersion }),
      ...(queueId === null ? {} : { queue: queueId }),
    }
  } catch {
    return {}
  }
}

/** Returns none where they cannot be read: the reason is told anyway. */
async function lastLines(matchyard: Matchyard, server: OneServer): Promise<readonly string[]> {
  try {
    const lines = await matchyard.servers.logs({ ...server, limit: LAST_LINES })
    return lines.map(({ message }) => message)
  } catch {
    return []
  }
}
