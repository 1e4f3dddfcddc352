import type { Account } from '../../account/account'
import { concurrentServersExceeded, serverQuota } from '../../billing/limits'
import { TTL_SECONDS } from '../../catalog/limits'
import { serverCounter } from '../../commit/counters'
import { Plan } from '../../commit/draft'
import { planServer, quotaConflict, type ServerDesign } from '../../commit/open-server'
import { transact } from '../../commit/transact'
import type { CallOptions, Context } from '../../context/context'
import { accountOf, requireProject } from '../../context/require'
import { ServiceError, type ValidationIssue, validationFailed } from '../../errors/service-error'
import type { GameServer } from '../../server/game-server'
import { portFaults } from '../../server/ports'
import { hasUnclosedQuote } from '../../server/startup-args'
import { checkFreeForm } from '../lobbies/free-form'

export type CreateServerInput = Omit<ServerDesign, 'matchId' | 'queueId'>

/**
 * Launches a server by itself; the answer does not wait for it.
 * Throws VALIDATION_FAILED, PROJECT_NOT_FOUND, BUILD_NOT_READY, PLAN_LIMIT_EXCEEDED.
 */
export function createServer(ctx: Context, input: CreateServerInput, call?: CallOptions): Promise<GameServer> {
  return transact(ctx, call, async () => {
    checkServerSettings(input)
    const project = await requireProject(ctx, input.projectId)
    const account = await accountOf(ctx, project)
    const plan = new Plan(ctx.clock.now()).check('project', project).check('account', account)
    const server = planServer(ctx, plan, account, input)
    const build = await ctx.storage.builds.newestReady(input.projectId, input.versionTag)
    if (build === undefined) {
      // The plan refuses before what the body names (contract §1), and the commit that counts is never reached here.
      await refuseOneTooMany(ctx, account)
      throw new ServiceError('BUILD_NOT_READY', `no build named ${JSON.stringify(input.versionTag)} is ready`)
    }
    return { plan, answer: server, onConflict: quotaConflict(account) }
  })
}

async function refuseOneTooMany(ctx: Context, account: Account): Promise<void> {
  const quota = serverQuota(account)
  if (quota === undefined) return
  const live = await ctx.storage.counters.read(serverCounter(account.id))
  if (live >= quota) throw ServiceError.of(concurrentServersExceeded(account))
}

function checkServerSettings(input: CreateServerInput): void {
  checkFreeForm({ customData: input.customData })
  const issues: ValidationIssue[] = [...portFaults(input.networkPorts ?? [], 'networkPorts')]
  if (input.ttlSeconds !== undefined && !(Number.isInteger(input.ttlSeconds) && input.ttlSeconds >= TTL_SECONDS.min)) {
    issues.push({ path: 'ttlSeconds', message: `must be a whole number of seconds, at least ${TTL_SECONDS.min}` })
  }
  if (input.startupArgs !== undefined && hasUnclosedQuote(input.startupArgs)) {
    issues.push({ path: 'startupArgs', message: 'has a quote that is never closed' })
  }
  if (issues.length > 0) throw validationFailed(issues)
}
