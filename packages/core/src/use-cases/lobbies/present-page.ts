import type { Lobby } from '../../lobby/lobby'
import type { Service } from '../../node/service'
import type { LobbyQuery } from '../../ports/storage/index'
import { lobbiesWithoutHost } from '../../reads/absent-hosts'
import { type Page, withinBytes } from '../../shared/page'

/** Maximum reads of the list for one page. Each read has as many lobbies as the page may have. */
export const READS_A_PAGE = 5

export type BrowseQuery = LobbyQuery & { readonly maxBytes: number }

interface Found {
  readonly lobby: Lobby
  /** Number of lobbies of the list before this one. */
  readonly place: number
}

/**
 * Returns a page without the lobbies whose host is absent. As long as lobbies are missing in the page, it reads on, at most READS_A_PAGE times.
 * The page may thus be short, or empty, before the end of the list; `offset` is chosen so that the next page begins at `offset` plus the length
 * of `data`.
 */
export async function presentPage(
  ctx: Service,
  query: BrowseQuery,
): Promise<Page<Lobby> & { readonly offset: number }> {
  const { projectId, limit, maxBytes } = query
  const found: Found[] = []
  let [total, next] = [0, query.offset]
  let reads = 0
  for (;;) {
    reads++
    const page = await ctx.storage.lobbies.browse({ ...query, offset: next })
    const absent = await lobbiesWithoutHost(ctx, projectId, page.data)
    found.push(
      ...page.data.map((lobby, n) => ({ lobby, place: next + n })).filter(({ lobby }) => !absent.has(lobby.id)),
    )
    total = page.total
    next += page.data.length
    // A page of the storage is short when the list or the maximum bytes of an answer end it.
    if (absent.size === 0 || found.length >= limit || next >= total || reads === READS_A_PAGE) break
  }
  const present = found.slice(0, limit).map(({ lobby }) => lobby)
  const data = reads > 1 ? withinBytes(present, maxBytes) : present
  return { total, data, offset: (found[data.length]?.place ?? next) - data.length }
}
