import type { OwnedBy } from '../access/owner'
import { DEFAULT_LOG_LINES } from '../catalog/limits'
import { unavailableInsteadOf } from '../commit/transact'
import { runningPlaceOf } from '../node/place'
import type { Service } from '../node/service'
import type { ServerLogLine } from '../ports/orchestrator'
import { requireServer } from '../reads/require'
import type { GameServer } from '../server/game-server'
import { keptLogOf } from './kept-logs'
import { askPeer } from './peer-logs'

export type ServerLogsInput = OwnedBy & {
  readonly instanceId: string
  readonly limit?: number | undefined
  readonly since?: number | undefined
}

interface Query {
  readonly limit: number
  readonly since?: number
}

/**
 * Returns the log lines of a server, oldest first. The node that runs the server or was the last to run it reads them. When another node is
 * called, it reads the log that was kept after the server's end, and asks the server's node when no log is kept. Throws SERVER_NOT_FOUND,
 * UNAVAILABLE.
 */
export function serverLogs(ctx: Service, input: ServerLogsInput): Promise<ServerLogLine[]> {
  return unavailableInsteadOf(async () => {
    const server = await requireServer(ctx, input, input.instanceId)
    const since = input.since === undefined ? {} : { since: input.since }
    const query = { limit: input.limit ?? DEFAULT_LOG_LINES, ...since }
    return ctx.node.logReads.run(server.projectId, () => read(ctx, server, query))
  })
}

async function read(ctx: Service, server: GameServer, query: Query): Promise<ServerLogLine[]> {
  const { id, region, projectId, nodeId } = server
  // A server that still waits for capacity belongs to no node.
  const place = nodeId === null ? ctx : runningPlaceOf(ctx, nodeId)
  if (place !== undefined || nodeId === null) {
    const lines = await (place ?? ctx).orchestrator.logs(id, { ...query, region })
    // The node removes the logs of its oldest servers.
    return lines.length > 0 ? lines : ((await keptLogOf(ctx, server, query)) ?? [])
  }
  return (await keptLogOf(ctx, server, query)) ?? askPeer(ctx, { nodeId, projectId, instanceId: id, ...query })
}
