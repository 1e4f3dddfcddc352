import type { Build } from '../build/build'
import type { BuildEvent } from '../build/events'
import type { CallOptions, Context } from '../context/context'
import { orThrow } from '../errors/service-error'
import type { Decision } from '../shared/decision'
import { Plan } from './draft'
import { planBuild } from './plan-build'
import { transact } from './transact'

/** The way of every change of one build from within: read, decide, commit, again on a lost race. Undefined where there is none. */
export function changeBuild(
  ctx: Context,
  buildId: string,
  decide: (build: Build | undefined, plan: Plan) => Decision<BuildEvent>,
  call?: CallOptions,
): Promise<Build | undefined> {
  return transact(ctx, call, async () => {
    const before = await ctx.storage.get('build', buildId)
    const plan = new Plan(ctx.clock.now())
    const events = orThrow(decide(before, plan))
    return { plan, answer: before && planBuild(plan, before, events) }
  })
}
