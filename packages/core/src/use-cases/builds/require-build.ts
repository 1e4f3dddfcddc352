import { isOwner, type OwnedBy } from '../../access/owner'
import type { Build } from '../../build/build'
import { ServiceError } from '../../errors/service-error'
import type { Ports } from '../../ports/ports'

/** Returns the addressed build, deleted ones included. Throws BUILD_NOT_FOUND, also for a build of another project or account. */
export async function requireBuild(ctx: Ports, by: OwnedBy, buildId: string): Promise<Build> {
  const build = await ctx.storage.get('build', buildId)
  if (build !== undefined && isOwner(by, build) && (await isProjectThere(ctx, by, build))) return build
  throw new ServiceError('BUILD_NOT_FOUND', `there is no build ${JSON.stringify(buildId)}`)
}

// Whether the build's project still exists. The builds of a deleted project are gone at once, before a job marks their rows. For an API key
// nothing is read: the key of a deleted project is refused earlier.
async function isProjectThere(ctx: Ports, by: OwnedBy, build: Build): Promise<boolean> {
  if (by.projectId !== undefined) return true
  const project = await ctx.storage.get('project', build.projectId)
  return project !== undefined && project.deletedAt === null
}
