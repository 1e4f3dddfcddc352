import type { Region } from '../../catalog/regions'
import { unavailableInsteadOf } from '../../commit/transact'
import { asSeenBy } from '../../lobby/as-seen'
import type { SettingsFilter } from '../../lobby/labels'
import type { Lobby, LobbyStatus } from '../../lobby/lobby'
import type { Ports } from '../../ports/ports'
import type { LobbySort } from '../../ports/storage/index'
import type { InProject } from '../../project/in-project'
import { windowOf } from '../../reads/window'
import type { Page } from '../../shared/page'
import { checkFilter } from './check-filter'

export interface BrowseLobbiesInput extends InProject {
  readonly backend: boolean
  /** Reader of the list. A member of a lobby sees all fields of that lobby. */
  readonly playerId?: string | undefined
  readonly queueId?: string | undefined
  readonly status?: LobbyStatus | undefined
  readonly region?: Region | undefined
  /** Settings that a lobby must have, at most four, by their names at the top level. */
  readonly settings?: SettingsFilter | undefined
  /** Whether to list private lobbies too. Ignored for players. */
  readonly includePrivate?: boolean | undefined
  readonly sort?: LobbySort | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export function browseLobbies(ctx: Ports, input: BrowseLobbiesInput): Promise<Page<Lobby>> {
  checkFilter('settings', input.settings)
  return unavailableInsteadOf(async () => {
    const { total, data } = await ctx.storage.lobbies.browse({
      projectId: input.projectId,
      ...(input.queueId === undefined ? {} : { queueId: input.queueId }),
      ...(input.status === undefined ? {} : { status: input.status }),
      ...(input.region === undefined ? {} : { region: input.region }),
      ...(input.settings === undefined ? {} : { settings: input.settings }),
      includePrivate: input.backend && input.includePrivate === true,
      sort: input.sort ?? 'created_at_desc',
      ...windowOf(input),
    })
    return { total, data: data.map((lobby) => asSeenBy(lobby, input)) }
  })
}
