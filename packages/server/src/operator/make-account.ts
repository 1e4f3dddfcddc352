import { type Matchyard, type PlanChoice, type PlanLimits, SELF_HOSTED } from '@matchyard/core'
import { limitsOfPlan, PROJECT_NAME_LENGTH, SELF_HOSTED_LIMITS } from '@matchyard/core/domain'
import { ConfigurationError } from '../config/configuration-error'
import { DEMO_QUEUE } from '../dev/first-calls'
import { BY_OPERATOR } from './by-operator'

export interface AccountWish {
  readonly email: string
  readonly password: string
  readonly name: string
  readonly project: string
  readonly plan: PlanChoice
  readonly operator: boolean
}

export interface MadeAccount {
  readonly account_id: string
  readonly email: string
  readonly plan: string
  readonly tariff?: string
  readonly project_id: string
  readonly client_key: string
  readonly server_key: string
}

/**
 * Creates an account with a project and both keys of the project. The first account of an installation also gets a
 * queue, to try the keys. One commit creates everything. If a failure left only the account, its keys would be unknown,
 * and the account could not be created again.
 */
export async function makeAccount(
  matchyard: Matchyard,
  { email: address, password, name, project: projectName, plan: wished, operator }: AccountWish,
  operatorLimits: Partial<PlanLimits>,
): Promise<{ readonly made: MadeAccount; readonly hasQueue: boolean }> {
  const letters = [...projectName].length
  if (letters < PROJECT_NAME_LENGTH.min || letters > PROJECT_NAME_LENGTH.max) {
    throw new ConfigurationError(
      `--project: it must be ${PROJECT_NAME_LENGTH.min} to ${PROJECT_NAME_LENGTH.max} characters long`,
    )
  }
  const isFirst = (await matchyard.accounts.list({ limit: 1, offset: 0 })).total === 0
  const hasQueue = isFirst && mayTry(wished, operatorLimits)
  const project = { name: projectName, ...(hasQueue && { queue: FIRST_QUEUE }) }
  const wish = { email: address, password, name, plan: wished, operator, project }
  const { id: accountId, email, plan, tariff, first } = await matchyard.accounts.create(wish, BY_OPERATOR)
  if (first === undefined) throw new Error('the account was made without its project')
  const [client, server] = first.keys.map(({ value }) => value ?? '') as [string, string]
  const made = {
    account_id: accountId,
    email,
    plan,
    ...(tariff === undefined ? {} : { tariff }),
    project_id: first.project.id,
    client_key: client,
    server_key: server,
  }
  return { made, hasQueue }
}

/** Queue for duels without game servers, which works with every orchestrator. */
const FIRST_QUEUE = {
  queueId: DEMO_QUEUE,
  name: 'Demo duel',
  matchmaking: { teams: 2, playersPerTeam: 1, rules: [{ type: 'difference', field: 'mmr', maxDifference: 200 }] },
} as const

/** Whether the plan allows queues and lobbies, which the first queue needs. */
function mayTry(plan: PlanChoice, operatorLimits: Partial<PlanLimits>): boolean {
  const limits = plan === SELF_HOSTED ? { ...SELF_HOSTED_LIMITS, ...operatorLimits } : limitsOfPlan(plan)
  return limits.queuesEnabled && limits.lobbiesEnabled
}
