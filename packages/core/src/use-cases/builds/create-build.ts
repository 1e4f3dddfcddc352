import { buildsExceeded } from '../../billing/limits'
import type { Build } from '../../build/build'
import { type BuildDesign, newBuild } from '../../build/new-build'
import type { CallOptions } from '../../commit/call-options'
import { buildCounter } from '../../commit/counters'
import { Draft } from '../../commit/draft'
import { putBuild as createBuildRow } from '../../commit/rows/build'
import { transact } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import type { CommitConflict } from '../../ports/storage/index'
import { accountOf, requireProject } from '../../reads/require'
import { requireBuild } from './require-build'

/**
 * Creates a build with the next version of its name. The commit that creates the build also counts up the version, so versions have no
 * gaps, even when calls run concurrently (docs/http-api.md §4). Throws PROJECT_NOT_FOUND, PLAN_LIMIT_EXCEEDED.
 */
export function createBuild(ctx: Service, projectId: string, design: BuildDesign, call?: CallOptions): Promise<Build> {
  const create = async () => {
    const project = await requireProject(ctx, projectId)
    const account = await accountOf(ctx, project)
    const draft = new Draft(ctx.clock.now()).check('project', project).check('account', account)
    const buildVersion = await nextVersion(ctx, draft, projectId, design.name)
    const build = newBuild({ ...design, projectId, buildVersion }, { id: ctx.ids.next('bld'), account, at: draft.at })
    return {
      draft,
      answer: createBuildRow(draft, build, account),
      about: { id: build.id },
      async onConflict({ on }: CommitConflict) {
        if (on !== 'limit') return undefined
        return ServiceError.of(buildsExceeded(account, await ctx.storage.counters.read(buildCounter(account.id))))
      },
    }
  }
  // The calls run one at a time, because concurrent builds of one name would conflict about the next version.
  return ctx.node.turns.run(`build-name:${projectId}/${design.name}`, () =>
    transact(ctx, call, create, ({ id }) => requireBuild(ctx, { projectId }, id)),
  )
}

async function nextVersion(ctx: Ports, draft: Draft, projectId: string, name: string): Promise<number> {
  const id = `${projectId}/${name}`
  const before = await ctx.storage.get('build-name', id)
  if (before === undefined)
    return draft.create('build-name', { id, version: 1, projectId, lastBuildVersion: 1 }).lastBuildVersion
  return draft.update('build-name', before, { ...before, lastBuildVersion: before.lastBuildVersion + 1 })
    .lastBuildVersion
}
