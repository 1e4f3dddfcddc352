import { awaitsUpload, decideExpireUpload as decideExpiry } from '../build/decide'
import { ofBuild } from '../commit/of-build'
import { change } from '../commit/transact'
import { accept } from '../errors/decision'
import type { Service } from '../node/service'

/**
 * Fails a build when the deadline of its upload has passed and no archive has arrived. A build whose archive has arrived is not changed.
 * Before the deadline, returns the deadline.
 */
export async function expireUpload(ctx: Service, buildId: string): Promise<number | undefined> {
  const hasArchive = await ctx.buildStore.has(buildId)
  const build = await change(ctx, ofBuild, buildId, (now, { at }) => accept(...decideExpiry(now, { hasArchive, at })))
  return build !== undefined && awaitsUpload(build) ? (build.uploadExpiresAt ?? undefined) : undefined
}
