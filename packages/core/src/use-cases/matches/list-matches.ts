import { DEFAULT_PAGE_LIMIT } from '../../catalog/limits'
import { unavailableInsteadOf } from '../../commit/transact'
import type { ExitReason } from '../../lobby/last-exit'
import { asPlayersSee } from '../../match/as-players-see'
import { hasPlayed } from '../../match/listed'
import type { Match, MatchStatus } from '../../match/match'
import { isMade } from '../../match/proposal'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { askedBuild } from '../../reads/asked-build'
import { assertPeriod } from '../../reads/asked-period'
import { walked } from '../../reads/walk'
import { type MatchOnServer, withServers } from '../../reads/with-servers'
import type { Place, Stretch } from '../../shared/place'
import type { Instant } from '../../shared/time'

export interface ListMatchesInput extends InProject {
  /** Queue of the listed matches. Default: all queues. */
  readonly queueId?: string | undefined
  /** Status of the listed matches. Default: all statuses. */
  readonly status?: MatchStatus | undefined
  /** Reason for which the listed matches ended. Default: all matches, also those that have not ended. */
  readonly endReason?: ExitReason | undefined
  /** Player of the listed matches, also after leaving them. */
  readonly playerId?: string | undefined
  /** Id of the build that the servers of the listed matches ran. */
  readonly buildId?: string | undefined
  /** Name and version of that build, such as `arena@3`. */
  readonly buildVersion?: string | undefined
  /** Instant at or after which the listed matches were made. */
  readonly from?: Instant | undefined
  /** Instant before which the listed matches were made. */
  readonly to?: Instant | undefined
  /** Whether the project's own backend makes the call. Default: yes. Players see only matches that were made. */
  readonly backend?: boolean | undefined
  /** Cursor: `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
  /** Maximum number of matches on a page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined
}

/**
 * Returns a page of a project's matches, newest first, with the connection details of their servers. Proposed matches that were not made are
 * omitted; for players, all proposed matches. Throws VALIDATION_FAILED.
 */
export function listMatches(ctx: Ports, input: ListMatchesInput): Promise<Stretch<MatchOnServer>> {
  const { projectId, queueId, status, endReason, playerId, from, to, backend = true, cursor } = input
  const { limit = DEFAULT_PAGE_LIMIT } = input
  return unavailableInsteadOf(async () => {
    assertPeriod(input)
    const buildId = backend ? await askedBuild(ctx, input) : undefined
    if (buildId === null) return { data: [], nextCursor: null }
    const { data, nextCursor } = await walked<Match>({
      cursor,
      limit,
      read: (window) =>
        ctx.storage.matches.list({
          projectId,
          ...(queueId === undefined ? {} : { queueId }),
          ...(status === undefined ? {} : { status }),
          ...(endReason === undefined ? {} : { endReason }),
          ...(playerId === undefined ? {} : { playerId }),
          ...(buildId === undefined ? {} : { buildId }),
          ...(from === undefined ? {} : { from }),
          ...window,
          ...before(window.before, to),
        }),
    })
    const listed = data.filter(
      (match) => (backend || isMade(match)) && (playerId === undefined || hasPlayed(match, playerId)),
    )
    return { data: await withServers(ctx, backend ? listed : listed.map(asPlayersSee)), nextCursor }
  })
}

/** Returns the position from which the matches are read: the end of the last page, or the end of the period if that is earlier. */
function before(place: Place | undefined, to: Instant | undefined): { readonly before?: Place } {
  if (to === undefined || (place !== undefined && place.createdAt < to))
    return place === undefined ? {} : { before: place }
  return { before: { createdAt: to, id: '' } }
}
