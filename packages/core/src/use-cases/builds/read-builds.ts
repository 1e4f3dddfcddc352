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
  readonly name?: string | undefined
  /** Status of the builds. Default: all except `deleted`. */
  readonly status?: BuildStatus | undefined
  readonly type?: BuildType | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** Build, addressed by the project or account that must own it. */
export type OnBuild = OwnedBy & { readonly buildId: string }

export interface BuildLogs {
  readonly buildId: string
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
