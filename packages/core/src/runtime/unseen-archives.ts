import type { Service } from '../node/service'
import { MINUTE_MS } from '../shared/time'

/** For so long it counts that an archive was not seen. */
const COUNTS_MS = 10 * MINUTE_MS
/** Builds that are remembered: enough to tell that something is wrong. */
const REMEMBERED = 1_000

/** Remembers whether this node sees the archive of a build, and tells the first time that it does not. */
export function noteArchive(ctx: Service, buildId: string, isSeen: boolean): void {
  const { node, clock, logger } = ctx
  const { unseenArchives } = node
  if (isSeen) {
    unseenArchives.delete(buildId)
    return
  }
  const isNew = !unseenArchives.has(buildId)
  if (isNew && countUnseen(ctx) >= REMEMBERED) return
  unseenArchives.set(buildId, clock.now())
  if (isNew)
    logger.warn('this node does not see the archive of a build, and leaves it to others', { build_id: buildId })
}

/** Returns how many builds this node was asked for in the last ten minutes without seeing their archive. */
export function countUnseen({ node: { unseenArchives }, clock }: Service): number {
  const since = clock.now() - COUNTS_MS
  for (const [buildId, at] of unseenArchives) if (at < since) unseenArchives.delete(buildId)
  return unseenArchives.size
}
