import type { OwnedBy } from '../../access/owner'
import type { Region } from '../../catalog/regions'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { askedBuild } from '../../reads/asked-build'
import { requireProject, requireServer } from '../../reads/require'
import { windowOf } from '../../reads/window'
import type { EndCause } from '../../server/end-causes'
import type { GameServer, ServerStatus } from '../../server/game-server'
import type { Page } from '../../shared/page'

export interface ListServersInput extends InProject {
  /** Status of the servers. Default: all statuses. */
  readonly status?: ServerStatus | undefined
  /** Region of the servers. Default: all regions. */
  readonly region?: Region | undefined
  /** Match of the server. Default: all servers. */
  readonly matchId?: string | undefined
  /** Name of the servers' builds. Default: all builds. */
  readonly versionTag?: string | undefined
  /** Id of the servers' build. */
  readonly buildId?: string | undefined
  /** Name and version of that build, such as `arena@3`. */
  readonly buildVersion?: string | undefined
  /** Cause for which the servers ended or are stopping. Default: all servers, also those that have not ended. */
  readonly endReason?: EndCause | undefined
  /** Maximum number of servers on a page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined
  /** Number of servers before the page. Default: 0. */
  readonly offset?: number | undefined
}

export function listServers(ctx: Ports, input: ListServersInput): Promise<Page<GameServer>> {
  return unavailableInsteadOf(async () => {
    await requireProject(ctx, input.projectId)
    const buildId = await askedBuild(ctx, input)
    if (buildId === null) return { data: [], total: 0 }
    return ctx.storage.servers.list({
      projectId: input.projectId,
      ...(input.status === undefined ? {} : { status: input.status }),
      ...(input.region === undefined ? {} : { region: input.region }),
      ...(input.matchId === undefined ? {} : { matchId: input.matchId }),
      ...(input.versionTag === undefined ? {} : { versionTag: input.versionTag }),
      ...(buildId === undefined ? {} : { buildId }),
      ...(input.endReason === undefined ? {} : { endReason: input.endReason }),
      ...windowOf(input),
    })
  })
}

/** Game server, addressed by the project or account that must own it. */
export type OnServer = OwnedBy & {
  /** Id of the server: `srv_` and a ULID. */
  readonly instanceId: string
}

export function getServer(ctx: Ports, input: OnServer): Promise<GameServer> {
  return unavailableInsteadOf(() => requireServer(ctx, input, input.instanceId))
}
