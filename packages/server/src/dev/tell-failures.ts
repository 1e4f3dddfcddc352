import type { JsonObject, Matchyard } from '@matchyard/core'
import type { Logger } from '@matchyard/core/ports'

/** Number of a game server's last log lines that are shown. */
const LAST_LINES = 8

interface OneServer {
  readonly projectId: string
  readonly instanceId: string
}

/** Logs why a game server failed, with the last lines of its log, for the developer at this terminal. */
export function tellFailures(matchyard: Matchyard, logger: Logger): void {
  matchyard.events.on('server_failed', ({ projectId, instanceId, stopReason }) => {
    const server = { projectId, instanceId }
    void Promise.all([origin(matchyard, server), lastLines(matchyard, server)]).then(([from, lines]) => {
      logger.warn(`a game server failed: ${stopReason}`, { ...from, instance_id: instanceId })
      for (const line of lines) logger.warn(`  | ${line}`)
    })
  })
}

/** Returns the build and the queue of the server; an empty object when they cannot be read. */
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

/**
 * Returns the last lines of the server's log; an empty list if they cannot be read, so that the reason of the failure
 * is logged in any case.
 */
async function lastLines(matchyard: Matchyard, server: OneServer): Promise<readonly string[]> {
  try {
    const lines = await matchyard.servers.logs({ ...server, limit: LAST_LINES })
    return lines.map(({ message }) => message)
  } catch {
    return []
  }
}
