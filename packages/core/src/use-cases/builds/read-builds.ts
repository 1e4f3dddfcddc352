import type { OwnedBy } from '../../access/owner'
import type { Build, BuildLogLine, BuildStatus, BuildType } from '../../build/build'
import { keptLogs } from '../../build/build-logs'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { windowOf } from '../../reads/window'
import type { Page } from '../../shared/page'
import { requireBuild } from './require-build'

export interface ListBuildsInput extends InProject {
  /** Name of the builds. Default: all names. */
  readonly name?: string | undefined
  /** Status of the builds. Default: all except `deleted`. */
  readonly status?: BuildStatus | undefined
  /** Kind of the builds. Default: all kinds. */
  readonly type?: BuildType | undefined
  /** Maximum number of builds on a page, 1 to 100. Default: 50. */
  readonly limit?: number | undefined
  /** Number of builds before the page. Default: 0. */
  readonly offset?: number | undefined
}

/** Build, addressed by the project or account that must own it. */
export type OnBuild = OwnedBy & {
  /** Id of the build: `bld_` and a ULID. */
  readonly buildId: string
}

/** Log of the processing of a build. */
export interface BuildLogs {
  /** Id of the build. */
  readonly buildId: string
  /** Lines in order, oldest first: at most 1,000. */
  readonly logs: readonly BuildLogLine[]
}

export function listBuilds(ctx: Ports, input: ListBuildsInput): Promise<Page<Build>> {
  return unavailableInsteadOf(() =>
    ctx.storage.builds.list({
      projectId: input.projectId,
      ...(input.name === undefined ? {} : { name: input.name }),
      ...(input.status === undefined ? {} : { status: input.status }),
      ...(input.type === undefined ? {} : { type: input.type }),
      ...windowOf(input),
    }),
  )
}

export function getBuild(ctx: Ports, input: OnBuild): Promise<Build> {
  return unavailableInsteadOf(() => requireBuild(ctx, input, input.buildId))
}

export function buildLogs(ctx: Ports, input: OnBuild): Promise<BuildLogs> {
  return unavailableInsteadOf(async () => {
    const { id, logs } = await requireBuild(ctx, input, input.buildId)
    // Logs that an earlier release stored may exceed the present limit.
    return { buildId: id, logs: keptLogs(logs) }
  })
}
