import { isCounted } from '../build/evolve'
import type { Context } from '../context/context'

/** Removes the archive of a build that failed or was deleted, and of no other. */
export async function removeArtifact(ctx: Context, buildId: string): Promise<void> {
  const build = await ctx.storage.get('build', buildId)
  if (build === undefined || !isCounted(build)) await ctx.buildStore.remove(buildId)
}
