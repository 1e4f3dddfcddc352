import { DEFAULT_LOG_LINES } from '../catalog/limits'
import { unavailableInsteadOf } from '../commit/transact'
import type { Context } from '../context/context'
import type { OwnedBy } from '../context/inputs'
import { requireServer } from '../context/require'
import type { ServerLogLine } from '../ports/orchestrator'

export type ServerLogsInput = OwnedBy & {
  readonly instanceId: string
  readonly limit?: number | undefined
  readonly since?: number | undefined
}

/** What the server printed, oldest first. Throws SERVER_NOT_FOUND, UNAVAILABLE. */
export function serverLogs(ctx: Context, input: ServerLogsInput): Promise<ServerLogLine[]> {
  return unavailableInsteadOf(async () => {
    const server = await requireServer(ctx, input, input.instanceId)
    const since = input.since === undefined ? {} : { since: input.since }
    const { id, region, projectId } = server
    const query = { limit: input.limit ?? DEFAULT_LOG_LINES, region, ...since }
    return ctx.logReads.run(projectId, () => ctx.orchestrator.logs(id, query))
  })
}
