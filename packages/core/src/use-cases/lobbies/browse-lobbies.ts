import type { Region } from '../../catalog/regions'
import { unavailableInsteadOf } from '../../commit/transact'
import { asSeenBy } from '../../lobby/as-seen'
import type { SettingsFilter } from '../../lobby/labels'
import type { Lobby, LobbyStatus } from '../../lobby/lobby'
import type { Service } from '../../node/service'
import type { LobbySort } from '../../ports/storage/index'
import type { InProject } from '../../project/in-project'
import { windowOf } from '../../reads/window'
import type { Page } from '../../shared/page'
import { checkFilter } from './check-filter'
import { type BrowseQuery, presentPage } from './present-page'

export interface BrowseLobbiesInput extends InProject {
  /** Whether the caller is the project's own backend: it has a server key, or embeds the service. */
  readonly backend: boolean
  /** Reader of the list. A member of a lobby sees all fields of that lobby. */
  readonly playerId?: string | undefined
  /** Queue of the lobbies. Default: all queues. */
  readonly queueId?: string | undefined
  /** Status of the lobbies. Default: all statuses. */
  readonly status?: LobbyStatus | undefined
  /** Region that the lobbies request. Default: all lobbies, also those without a region. */
  readonly region?: Region | undefined
  /** Settings that a lobby must have, at most four, by their names at the top level. */
  readonly settings?: SettingsFilter | undefined
  /** Whether to list private lobbies too. Ignored for players. */
  readonly includePrivate?: boolean | undefined
  /** Whether to list the lobbies with an absent host too, as for a backend. */
  readonly includeAbsent?: boolean | undefined
  /** Order of the list. Default: the newest lobby first. */
  readonly sort?: LobbySort | undefined
  /** Maximum number of lobbies on a page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined
  /** Number of lobbies before the page. Default: 0. */
  readonly offset?: number | undefined
}

/** Page of the lobbies that the reader may see. */
export interface BrowsedLobbies extends Page<Lobby> {
  /** Number of lobbies before this page, with those that were passed over. The next page begins at `offset` plus the length of `data`. */
  readonly offset: number
}

/**
 * Returns a page of the project's lobbies. For players it passes over the lobbies in `waiting` whose host is absent. `total` counts these lobbies
 * too, because the presence of all hosts is not known at once.
 */
export function browseLobbies(ctx: Service, input: BrowseLobbiesInput): Promise<BrowsedLobbies> {
  checkFilter('settings', input.settings)
  return unavailableInsteadOf(async () => {
    const query = queryOf(input)
    const seesAbsent = input.backend || input.includeAbsent === true
    const page = seesAbsent ? await plainPage(ctx, query) : await presentPage(ctx, query)
    return { ...page, data: page.data.map((lobby) => asSeenBy(lobby, input)) }
  })
}

const queryOf = (input: BrowseLobbiesInput): BrowseQuery => ({
  projectId: input.projectId,
  ...(input.queueId === undefined ? {} : { queueId: input.queueId }),
  ...(input.status === undefined ? {} : { status: input.status }),
  ...(input.region === undefined ? {} : { region: input.region }),
  ...(input.settings === undefined ? {} : { settings: input.settings }),
  includePrivate: input.backend && input.includePrivate === true,
  sort: input.sort ?? 'created_at_desc',
  ...windowOf(input),
})

async function plainPage(ctx: Service, query: BrowseQuery): Promise<BrowsedLobbies> {
  return { ...(await ctx.storage.lobbies.browse(query)), offset: query.offset }
}
