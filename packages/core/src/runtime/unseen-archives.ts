import type { Service } from '../node/service'
import { MINUTE_MS } from '../shared/time'

/** Milliseconds for which an archive that this node could not find is counted. */
const COUNTS_MS = 10 * MINUTE_MS
/** Maximum number of remembered builds. Further ones are not counted: so many already show that something is wrong. */
const REMEMBERED = 1_000

/** Records whether this node finds the archive of a build, and logs a warning the first time that it does not. */
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

/** Returns for how many builds this node found no archive in the last ten minutes. */
export function countUnseen({ node: { unseenArchives }, clock }: Service): number {
  const since = clock.now() - COUNTS_MS
  for (const [buildId, at] of unseenArchives) if (at < since) unseenArchives.delete(buildId)
  return unseenArchives.size
}
