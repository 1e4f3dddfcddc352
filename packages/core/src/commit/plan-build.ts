import type { Account } from '../account/account'
import { buildQuota, buildsExceeded } from '../billing/limits'
import type { Build } from '../build/build'
import type { BuildEvent } from '../build/events'
import { evolveBuild, isCounted } from '../build/evolve'
import { BUILD_NAME_PATTERN, BUILD_NAME_RULE } from '../catalog/limits'
import type { CallOptions, Context } from '../context/context'
import { accountOf, requireProject } from '../context/require'
import { ServiceError, type ValidationIssue } from '../errors/service-error'
import { buildCounter } from './counters'
import { Plan } from './draft'
import { jobs } from './jobs'
import { transact } from './transact'

/** What the two ways of making a build give to a new one. */
export type BuildDesign = Pick<Build, 'name' | 'status' | 'type' | 'executablePath' | 'imageUrl'>

export function buildNameIssues(name: string): ValidationIssue[] {
  if (BUILD_NAME_PATTERN.test(name)) return []
  return [{ path: 'name', message: BUILD_NAME_RULE }]
}

/**
 * Makes a build with the next version of its name: the number is taken in the commit that uses it, so there is no gap, also
 * under concurrency (contract §4). Throws PROJECT_NOT_FOUND, PLAN_LIMIT_EXCEEDED.
 */
export function createBuild(
  ctx: Context,
  projectId: string,
  design: BuildDesign,
  follow: (plan: Plan, build: Build) => Partial<Build>,
  call?: CallOptions,
): Promise<Build> {
  // In turn, because builds of one name would keep taking the same next version from each other.
  return ctx.turns.run(`build-name:${projectId}/${design.name}`, () =>
    transact(ctx, call, async () => {
      const project = await requireProject(ctx, projectId)
      const account = await accountOf(ctx, project)
      const plan = new Plan(ctx.clock.now()).check('project', project).check('account', account)
      const buildVersion = await nextVersion(ctx, plan, projectId, design.name)
      const blank = blankBuild(ctx, plan, account, { ...design, projectId, buildVersion })
      const build = plan.create('build', { ...blank, ...follow(plan, blank) })
      plan.counter(buildCounter(account.id), 1, buildQuota(account))
      return {
        plan,
        answer: build,
        onConflict: ({ on }) => (on === 'limit' ? ServiceError.of(buildsExceeded(account)) : undefined),
      }
    }),
  )
}

async function nextVersion(ctx: Context, plan: Plan, projectId: string, name: string): Promise<number> {
  const id = `${projectId}/${name}`
  const before = await ctx.storage.get('build-name', id)
  if (before === undefined)
    return plan.create('build-name', { id, version: 1, projectId, lastBuildVersion: 1 }).lastBuildVersion
  return plan.update('build-name', before, { ...before, lastBuildVersion: before.lastBuildVersion + 1 })
    .lastBuildVersion
}

function blankBuild(
  ctx: Context,
  plan: Plan,
  account: Account,
  design: BuildDesign & Pick<Build, 'projectId' | 'buildVersion'>,
): Build {
  return {
    ...design,
    id: ctx.ids.next('bld'),
    version: 1,
    accountId: account.id,
    imageDigest: null,
    errorMessage: null,
    uploadExpiresAt: null,
    sizeBytes: null,
    logs: [],
    createdAt: plan.at,
    updatedAt: plan.at,
  }
}

/** Applies events to a build in a commit: the row, the account's quota, the follow-ups, what is told. Answers the next state. */
export function planBuild(plan: Plan, before: Build, events: readonly BuildEvent[]): Build {
  if (events.length === 0) return before
  const after = plan.update('build', before, { ...events.reduce(evolveBuild, before), updatedAt: plan.at })
  if (isCounted(before) && !isCounted(after)) plan.counter(buildCounter(after.accountId), -1)
  if (!isCounted(after) && after.type === 'zip') plan.job(jobs.removeArtifact(after, plan.at))
  if (after.status === 'processing' && before.status !== 'processing') plan.job(jobs.processBuild(after, plan.at))
  const { id: buildId, name, projectId, errorMessage } = after
  if (after.status === 'ready') plan.tell({ type: 'build_ready', buildId, name }, projectId)
  if (after.status === 'failed') {
    plan.tell({ type: 'build_failed', buildId, name, errorMessage: errorMessage ?? '' }, projectId)
  }
  return after
}
