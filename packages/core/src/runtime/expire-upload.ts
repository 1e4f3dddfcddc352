import { awaitsUpload, decideExpireUpload as decideExpiry } from '../build/decide'
import { ofBuild } from '../commit/of-build'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import type { Service } from '../node/service'

/**
 * Fails a build without an upload; a build whose archive has arrived after all continues. Returns the time of the next check when its deadline
 * is still to come.
 */
export async function expireUpload(ctx: Service, buildId: string): Promise<number | undefined> {
  const hasArchive = await ctx.buildStore.has(buildId)
  const build = await change(ctx, ofBuild, buildId, (now, { at }) => accept(...decideExpiry(now, { hasArchive, at })))
  return build !== undefined && awaitsUpload(build) ? (build.uploadExpiresAt ?? undefined) : undefined
}
