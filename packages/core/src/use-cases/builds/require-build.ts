import { isOwner, type OwnedBy } from '../../access/owner'
import type { Build } from '../../build/build'
import { ServiceError } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'

/**
 * Returns the build to which a call applies, deleted builds included. Throws BUILD_NOT_FOUND, also for a build of another project or
 * account.
 */
export async function requireBuild(ctx: Ports, by: OwnedBy, buildId: string): Promise<Build> {
  const build = await ctx.storage.get('build', buildId)
  if (build !== undefined && isOwner(by, build) && (await isProjectThere(ctx, by, build))) return build
  throw new ServiceError('BUILD_NOT_FOUND', `there is no build ${JSON.stringify(buildId)}`)
}

// Whether the build's project still exists. A project is deleted at once; a job marks the rows of its builds later. With an API key the
// project need not be read, because the key of a deleted project is refused earlier.
async function isProjectThere(ctx: Ports, by: OwnedBy, build: Build): Promise<boolean> {
  if (by.projectId !== undefined) return true
  const project = await ctx.storage.get('project', build.projectId)
  return project !== undefined && project.deletedAt === null
}
