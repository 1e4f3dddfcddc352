import { expireUpload as decideExpiry } from '../build/decide'
import { ofBuild } from '../commit/of-build'
import { change } from '../commit/transact'
import type { Context } from '../context/context'
import { accept } from '../errors/decision'

/** Fails a build whose upload never came; one whose archive is there after all goes on. */
export async function expireUpload(ctx: Context, buildId: string): Promise<void> {
  const hasArchive = await ctx.buildStore.has(buildId)
  await change(ctx, ofBuild, buildId, (build, { at }) => accept(...decideExpiry(build, { hasArchive, at })))
}
