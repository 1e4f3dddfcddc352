import type { Build } from '../../build/build'
import { switchBuild } from '../../build/decide'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { writeBuild } from '../../commit/rows/build'
import { transact } from '../../commit/transact'
import { orThrow, refuseUnknown, validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { OnBuild } from './read-builds'
import { requireBuild } from './require-build'

/** Changes of a build. */
export type UpdateBuildInput = OnBuild & {
  /** Changed fields; an absent field keeps its value. */
  readonly changes: {
    /** Whether new launches of the build are disabled. Running servers continue. False also ends a drain. */
    readonly disabled?: boolean | undefined
    /**
     * Whether the build is drained: it is disabled, its servers without a match are stopped, and its matches take no more players and play to
     * their end. False ends a drain; the build stays disabled.
     */
    readonly drain?: boolean | undefined
  }
}

const SWITCHES = ['disabled', 'drain'] as const

export function updateBuild(ctx: Service, input: UpdateBuildInput, call?: CallOptions): Promise<Build> {
  const update = async () => {
    refuseUnknown(input.changes, SWITCHES)
    const issues = SWITCHES.flatMap((path) => {
      const value: unknown = input.changes[path]
      return value === undefined || typeof value === 'boolean' ? [] : [{ path, message: 'must be true or false' }]
    })
    if (issues.length > 0) throw validationFailed(issues)
    const build = await requireBuild(ctx, input, input.buildId)
    const draft = new Draft(ctx.clock.now())
    const events = orThrow(switchBuild(build, input.changes, draft.at))
    return { draft, answer: writeBuild(draft, build, events), about: { id: build.id } }
  }
  return transact(ctx, call, update, () => requireBuild(ctx, input, input.buildId))
}
