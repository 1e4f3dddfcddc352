import type { Build } from '../../build/build'
import { setDisabled } from '../../build/decide'
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
    /** Whether new launches of the build are disabled. Running servers continue. */
    readonly disabled?: boolean | undefined
  }
}

export function updateBuild(ctx: Service, input: UpdateBuildInput, call?: CallOptions): Promise<Build> {
  const update = async () => {
    refuseUnknown(input.changes, ['disabled'])
    const { disabled } = input.changes
    if (disabled !== undefined && typeof disabled !== 'boolean') {
      throw validationFailed([{ path: 'disabled', message: 'must be true or false' }])
    }
    const build = await requireBuild(ctx, input, input.buildId)
    const draft = new Draft(ctx.clock.now())
    const events = orThrow(setDisabled(build, disabled ?? build.disabled === true))
    return { draft, answer: writeBuild(draft, build, events), about: { id: build.id } }
  }
  return transact(ctx, call, update, () => requireBuild(ctx, input, input.buildId))
}
