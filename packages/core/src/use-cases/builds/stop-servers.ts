import { decideStopServersOf } from '../../build/decide'
import type { CallOptions } from '../../commit/call-options'
import { buildServerCounter } from '../../commit/counters'
import { Draft } from '../../commit/draft'
import { writeBuild } from '../../commit/rows/build'
import { transact } from '../../commit/transact'
import { orThrow } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { OnBuild } from './read-builds'
import { requireBuild } from './require-build'

/** Servers of a build that were asked to stop. */
export interface StoppedServers {
  /** Id of the build. */
  readonly buildId: string
  /** Number of live servers that run the build now, also of those that are already stopping. A job stops them, some at a time. */
  readonly servers: number
}

/** Asks all live servers of a build to stop. A job stops them, so that the call takes no longer with many servers. */
export function stopServersOf(ctx: Service, input: OnBuild, call?: CallOptions): Promise<StoppedServers> {
  return transact(ctx, call, async () => {
    const build = await requireBuild(ctx, input, input.buildId)
    const servers = Math.max(0, await ctx.storage.counters.read(buildServerCounter(build.id)))
    const draft = new Draft(ctx.clock.now())
    writeBuild(draft, build, orThrow(decideStopServersOf(build, draft.at)))
    return { draft, answer: { buildId: build.id, servers } }
  })
}
