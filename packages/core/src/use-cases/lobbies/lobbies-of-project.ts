import { DEFAULT_PAGE_LIMIT, MAX_LOBBY_BYTES } from '../../catalog/limits'
import { unavailableInsteadOf } from '../../commit/transact'
import { asSeenBy } from '../../lobby/as-seen'
import { isAskedFor, type LobbyFilter } from '../../lobby/asked'
import type { Lobby } from '../../lobby/lobby'
import type { Ports } from '../../ports/ports'
import { type LobbyQuery, uniqueKey } from '../../ports/storage/index'
import type { InProject } from '../../project/in-project'
import { walked } from '../../reads/walk'
import type { Stretch } from '../../shared/place'
import { checkFilter } from './check-filter'

/** Maximum bytes of one stored lobby: the part that the API shows, the lists of fields, and the players met before. */
const LARGEST = 5 * MAX_LOBBY_BYTES

export interface LobbiesOfProjectInput extends InProject, LobbyFilter {
  /** Invite code in any spelling. Only the lobby with this code is returned. */
  readonly code?: string | undefined
  /** Cursor: `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
  /** Maximum number of lobbies on a page, 1 to 1,000. Default: 50. */
  readonly limit?: number | undefined
}

/** Page of a project's lobbies. */
export interface ProjectLobbies extends Stretch<Lobby> {
  /** Number of all lobbies that match the filters. */
  readonly total: number
}

export function lobbiesOfProject(ctx: Ports, input: LobbiesOfProjectInput): Promise<ProjectLobbies> {
  checkFilter('settings', input.settings)
  const { limit = DEFAULT_PAGE_LIMIT, cursor, code } = input
  return unavailableInsteadOf(async () => {
    if (code !== undefined) return holderOf(ctx, input, code)
    const query = queryOf(input)
    let total: number | undefined
    const stretch = await walked<Lobby>({
      cursor,
      limit,
      largest: LARGEST,
      async read(window) {
        const page = await ctx.storage.lobbies.browse({ ...query, ...window })
        total ??= page.total
        return page.data
      },
    })
    return { ...stretch, data: stretch.data.map(forBackend), total: total ?? 0 }
  })
}

const forBackend = (lobby: Lobby) => asSeenBy(lobby, { backend: true })

const queryOf = ({ projectId, queueId, status, region, settings, playerId }: LobbiesOfProjectInput) =>
  ({
    projectId,
    ...(queueId === undefined ? {} : { queueId }),
    ...(status === undefined ? {} : { status }),
    ...(region === undefined ? {} : { region }),
    ...(settings === undefined ? {} : { settings }),
    ...(playerId === undefined ? {} : { playerId }),
    includePrivate: true,
    sort: 'created_at_desc',
    offset: 0,
  }) satisfies Partial<LobbyQuery>

/** Returns the lobby with an invite code, if it matches the filters. */
async function holderOf(ctx: Ports, input: LobbiesOfProjectInput, code: string): Promise<ProjectLobbies> {
  const lobby = await ctx.storage.find('lobby', uniqueKey.inviteCode(input.projectId, code))
  const data = lobby !== undefined && isAskedFor(lobby, input) ? [forBackend(lobby)] : []
  return { total: data.length, data, nextCursor: null }
}
