import type { OwnedBy } from '../../access/owner'
import type { Region } from '../../catalog/regions'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { requireProject, requireServer } from '../../reads/require'
import { windowOf } from '../../reads/window'
import type { GameServer, ServerStatus } from '../../server/game-server'
import type { Page } from '../../shared/page'

export interface ListServersInput extends InProject {
  readonly status?: ServerStatus | undefined
  readonly region?: Region | undefined
  readonly matchId?: string | undefined
  readonly versionTag?: string | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export function listServers(ctx: Ports, input: ListServersInput): Promise<Page<GameServer>> {
  return unavailableInsteadOf(async () => {
    await requireProject(ctx, input.projectId)
    return ctx.storage.servers.list({
      projectId: input.projectId,
      ...(input.status === undefined ? {} : { status: input.status }),
      ...(input.region === undefined ? {} : { region: input.region }),
      ...(input.matchId === undefined ? {} : { matchId: input.matchId }),
      ...(input.versionTag === undefined ? {} : { versionTag: input.versionTag }),
      ...windowOf(input),
    })
  })
}

export type OnServer = OwnedBy & { readonly instanceId: string }

export function getServer(ctx: Ports, input: OnServer): Promise<GameServer> {
  return unavailableInsteadOf(() => requireServer(ctx, input, input.instanceId))
}
