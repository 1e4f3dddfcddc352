import { isCounted } from '../build/evolve'
import type { Context } from '../context/context'

/** Removes the archive of a build that failed or was deleted, and of no other; and what was unpacked of it on this node. */
export async function removeArtifact(ctx: Context, buildId: string): Promise<void> {
  const build = await ctx.storage.get('build', buildId)
  if (build !== undefined && isCounted(build)) return
  await ctx.buildStore.remove(buildId)
  await ctx.orchestrator.prune()
}
