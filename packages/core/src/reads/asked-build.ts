import { validationFailed } from '../errors/service-error'
import type { Ports } from '../ports/ports'
import { uniqueKey } from '../ports/storage/index'

/** Build by which a list is filtered: its id, or its name and version. */
export interface AskedBuild {
  readonly projectId: string
  readonly buildId?: string | undefined
  readonly buildVersion?: string | undefined
}

/** Name of a build, `@`, and its version. */
const NAMED = /^([A-Za-z0-9._-]{1,64})@([1-9][0-9]{0,8})$/

/**
 * Returns the id of the build by which a list is filtered; undefined without a filter, and null when no build has this name and version.
 * Throws VALIDATION_FAILED.
 */
export async function askedBuild(ctx: Ports, asked: AskedBuild): Promise<string | null | undefined> {
  const { projectId, buildId, buildVersion } = asked
  if (buildVersion === undefined) return buildId
  const [, name, version] = NAMED.exec(buildVersion) ?? []
  if (name === undefined || version === undefined) {
    throw invalid('must be the name of a build, @ and its version, such as arena@3')
  }
  const build = await ctx.storage.find('build', uniqueKey.buildVersion(projectId, name, Number(version)))
  if (buildId !== undefined && build?.id !== buildId) return null
  return build?.id ?? null
}

const invalid = (message: string) => validationFailed([{ path: 'buildVersion', message }])
