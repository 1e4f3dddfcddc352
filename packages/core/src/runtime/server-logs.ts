import type { OwnedBy } from '../access/owner'
import { DEFAULT_LOG_LINES } from '../catalog/limits'
import { unavailableInsteadOf } from '../commit/transact'
import { isOfThisNode } from '../node/place'
import type { Service } from '../node/service'
import type { ServerLogLine } from '../ports/orchestrator'
import { requireServer } from '../reads/require'
import { askPeer } from './peer-logs'

export type ServerLogsInput = OwnedBy & {
  readonly instanceId: string
  readonly limit?: number | undefined
  readonly since?: number | undefined
}

/**
 * Returns the log lines of a server, oldest first. They are read by the node that runs the server or was the last to run it. Throws
 * SERVER_NOT_FOUND, UNAVAILABLE.
 */
export function serverLogs(ctx: Service, input: ServerLogsInput): Promise<ServerLogLine[]> {
  return unavailableInsteadOf(async () => {
    const server = await requireServer(ctx, input, input.instanceId)
    const since = input.since === undefined ? {} : { since: input.since }
    const { id, region, projectId, nodeId } = server
    const query = { limit: input.limit ?? DEFAULT_LOG_LINES, ...since }
    // A server that still waits for capacity belongs to no node.
    const isHere = nodeId === null || isOfThisNode(ctx, nodeId)
    return ctx.node.logReads.run(projectId, () =>
      isHere
        ? ctx.orchestrator.logs(id, { ...query, region })
        : askPeer(ctx, { nodeId, projectId, instanceId: id, ...query }),
    )
  })
}
