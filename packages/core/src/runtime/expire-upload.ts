import { expireUpload as decideExpiry } from '../build/decide'
import { change } from '../commit/change'
import { ofBuild } from '../commit/rows/build'
import type { Context } from '../context/context'
import { accept } from '../shared/decision'

/** Fails a build whose upload never came; one whose archive is there after all goes on. */
export async function expireUpload(ctx: Context, buildId: string): Promise<void> {
  const hasArchive = await ctx.buildStore.has(buildId)
  await change(ctx, ofBuild, buildId, (build, { at }) => accept(...decideExpiry(build, { hasArchive, at })))
}
