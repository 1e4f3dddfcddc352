import type { Build } from '../../build/build'
import { decideDeleteBuild as decideDelete } from '../../build/decide'
import type { CallOptions } from '../../commit/call-options'
import { buildServerCounter } from '../../commit/counters'
import { Draft } from '../../commit/draft'
import { writeBuild } from '../../commit/rows/build'
import { transact } from '../../commit/transact'
import { orThrow, ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { OnBuild } from './read-builds'
import { requireBuild } from './require-build'

export function deleteBuild(ctx: Service, input: OnBuild, call?: CallOptions): Promise<void> {
  return transact(ctx, call, async () => {
    const build = await requireBuild(ctx, input, input.buildId)
    const events = orThrow(decideDelete(build))
    if (await ctx.storage.servers.anyLiveOfBuild(build.id)) throw buildInUse(build)
    const draft = new Draft(ctx.clock.now())
    writeBuild(draft, build, events)
    // The state that was checked above may have changed. A launch checks the build and adds to this counter, so one of the two commits
    // fails.
    draft.counter(buildServerCounter(build.id), 0, 0)
    return { draft, answer: undefined, onConflict: ({ on }) => (on === 'limit' ? buildInUse(build) : undefined) }
  })
}

const buildInUse = ({ name, buildVersion }: Build) =>
  new ServiceError('BUILD_IN_USE', `a live server runs version ${buildVersion} of ${name}; stop the server first`)
