import { awaitsUpload, decideExpireUpload as decideExpiry } from '../build/decide'
import { ofBuild } from '../commit/of-build'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import type { Service } from '../node/service'

/**
 * Fails a build whose upload deadline passed without an archive; a build whose archive has arrived continues. Returns the deadline when it
 * is still to come.
 */
export async function expireUpload(ctx: Service, buildId: string): Promise<number | undefined> {
  const hasArchive = await ctx.buildStore.has(buildId)
  const build = await change(ctx, ofBuild, buildId, (now, { at }) => accept(...decideExpiry(now, { hasArchive, at })))
  return build !== undefined && awaitsUpload(build) ? (build.uploadExpiresAt ?? undefined) : undefined
}
