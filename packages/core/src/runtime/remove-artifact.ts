import { isCounted } from '../build/evolve'
import type { Ports } from '../ports/ports'

/**
 * Removes the archive of a build that failed or was deleted, and the files that this node unpacked from the archive. Does nothing for a
 * live build.
 */
export async function removeArtifact(ctx: Ports, buildId: string): Promise<void> {
  const build = await ctx.storage.get('build', buildId)
  if (build !== undefined && isCounted(build)) return
  await ctx.buildStore.remove(buildId)
  await freeRemovedBuilds(ctx)
}

/** Removes the unpacked files of builds that this node or another node deleted. */
export const freeRemovedBuilds = (ctx: Ports): Promise<void> => ctx.orchestrator.prune()
