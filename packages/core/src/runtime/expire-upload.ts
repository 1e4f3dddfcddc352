import { expireUpload as decideExpiry } from '../build/decide'
import { changeBuild } from '../commit/change-build'
import type { Context } from '../context/context'
import { accept } from '../shared/decision'

/** Fails a build whose upload never came; one whose archive is there after all goes on. */
export async function expireUpload(ctx: Context, buildId: string): Promise<void> {
  const hasArchive = await ctx.buildStore.has(buildId)
  await changeBuild(ctx, buildId, (build, { at }) => accept(...(build ? decideExpiry(build, { hasArchive, at }) : [])))
}
