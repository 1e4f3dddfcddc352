import { isCounted } from '../../build/evolve'
import type { Context } from '../../context/context'
import type { HandledJob } from './handled-job'

/** Removes the archive of a build that failed or was deleted, and of no other. */
export async function handleRemoveArtifact(ctx: Context, job: HandledJob): Promise<void> {
  const buildId = String(job.payload.buildId)
  const build = await ctx.storage.get('build', buildId)
  if (build === undefined || !isCounted(build)) await ctx.buildStore.remove(buildId)
}
