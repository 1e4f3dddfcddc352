import { type Build, isLaunchable, whyNotLaunched } from '../build/build'
import { BUILD_NAME_PATTERN } from '../catalog/limits'
import type { Ports } from '../ports/ports'
import { uniqueKey } from '../ports/storage/index'
import type { WantedBuild } from '../queue/decide'

/** The build to launch, or a sentence that says why no build can be launched. */
export type FoundBuild = { readonly build: Build } | { readonly build?: undefined; readonly why: string }

/** Returns the build that a launch would use now: the pinned version, or otherwise the newest version that is ready and not disabled. */
export async function findBuild(ctx: Ports, projectId: string, wanted: WantedBuild): Promise<FoundBuild> {
  const { versionTag, pinnedVersion } = wanted
  const build = await (pinnedVersion === undefined
    ? ctx.storage.builds.newestReady(projectId, versionTag)
    : ctx.storage.find('build', uniqueKey.buildVersion(projectId, versionTag, pinnedVersion)))
  if (build !== undefined && isLaunchable(build)) return { build }
  const why = pinnedVersion === undefined ? await noneReady(ctx, projectId, versionTag) : notReady(wanted, build)
  return { why }
}

async function noneReady({ storage }: Ports, projectId: string, name: string): Promise<string> {
  const { total } = await storage.builds.list({ projectId, name, status: 'ready', limit: 1, offset: 0 })
  if (total > 0) return `every ready version of the build ${shown(name)} is disabled`
  return `no build named ${shown(name)} is ready`
}

function notReady({ versionTag, pinnedVersion }: WantedBuild, build: Build | undefined): string {
  const version = `version ${pinnedVersion} of the build ${versionTag}`
  return build === undefined ? `there is no ${version}` : `${version} ${whyNotLaunched(build)}`
}

/** Returns a build name in the form in which a message may show it. The name may come from a player's state, so it can be any text. */
const shown = (name: string): string => (BUILD_NAME_PATTERN.test(name) ? name : JSON.stringify(name))
