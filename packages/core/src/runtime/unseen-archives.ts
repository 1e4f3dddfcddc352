import type { Service } from '../node/service'
import { MINUTE_MS } from '../shared/time'

/** Milliseconds for which a build is counted after this node did not find the build's archive. */
const COUNTS_MS = 10 * MINUTE_MS
/**
 * Maximum number of builds that are remembered. Further builds are not counted, because this number already shows that something is wrong.
 */
const REMEMBERED = 1_000

/** Records whether this node finds the archive of a build. Logs a warning the first time that it does not. */
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

/** Returns the number of builds whose archives this node did not find in the last ten minutes. */
export function countUnseen({ node: { unseenArchives }, clock }: Service): number {
  const since = clock.now() - COUNTS_MS
  for (const [buildId, at] of unseenArchives) if (at < since) unseenArchives.delete(buildId)
  return unseenArchives.size
}
