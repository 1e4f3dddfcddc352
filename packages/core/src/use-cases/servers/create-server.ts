import { checkFreeForm } from '../../catalog/free-form'
import { checkName } from '../../catalog/names'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { openServer, quotaConflict, refuseOneTooMany } from '../../commit/open-server'
import { transact } from '../../commit/transact'
import { ServiceError, validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { findBuild } from '../../reads/find-build'
import { usualRegion } from '../../reads/machines'
import { accountOf, requireProject, requireServer } from '../../reads/require'
import type { GameServer } from '../../server/game-server'
import { designFaults, type ServerDesign } from '../../server/new-server'

/** Game server that a backend launches by itself, without a match. */
export type CreateServerInput = Omit<ServerDesign, 'matchId' | 'queueId' | 'pinnedVersion'>

export function createServer(ctx: Service, input: CreateServerInput, call?: CallOptions): Promise<GameServer> {
  const create = async () => {
    checkName(input.name)
    checkFreeForm({ customData: input.customData })
    const issues = designFaults(input)
    if (issues.length > 0) throw validationFailed(issues)
    const project = await requireProject(ctx, input.projectId)
    const account = await accountOf(ctx, project)
    const draft = new Draft(ctx.clock.now()).check('project', project).check('account', account)
    const region = input.region ?? (await usualRegion(ctx))
    const server = openServer(ctx, draft, account, { ...input, region }, call?.trace)
    const found = await findBuild(ctx, input.projectId, { versionTag: input.versionTag })
    if (found.build === undefined) {
      // The plan is checked before the build that the body names (docs/http-api.md §1). The commit checks the plan too, but without a build
      // this call commits nothing.
      await refuseOneTooMany(ctx, account)
      throw new ServiceError('BUILD_NOT_READY', found.why)
    }
    return { draft, answer: server, about: { id: server.id }, onConflict: quotaConflict(ctx, account) }
  }
  const { projectId } = input
  return transact(ctx, call, create, ({ id }) => requireServer(ctx, { projectId }, id))
}
