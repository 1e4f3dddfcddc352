import type { Matchyard, PlanChoice } from '@matchyard/core'
import { PROJECT_NAME_LENGTH } from '@matchyard/core/domain'
import { ConfigurationError } from '../config/configuration-error'
import { DEMO_QUEUE } from '../dev/first-calls'

export interface AccountWish {
  readonly email: string
  readonly password: string
  readonly name: string
  readonly project: string
  readonly plan: PlanChoice
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

/** An account with a project and both its keys; the first of an installation also has a queue to try them on. */
export async function makeAccount(
  matchyard: Matchyard,
  wish: AccountWish,
): Promise<{ readonly made: MadeAccount; readonly hasQueue: boolean }> {
  const letters = [...wish.project].length
  if (letters < PROJECT_NAME_LENGTH.min || letters > PROJECT_NAME_LENGTH.max) {
    // Before anything is made: an account without what was asked for with it would be half of it.
    throw new ConfigurationError(
      `--project: it must be ${PROJECT_NAME_LENGTH.min} to ${PROJECT_NAME_LENGTH.max} characters long`,
    )
  }
  const isFirst = (await matchyard.accounts.list({ limit: 1, offset: 0 })).total === 0
  const { id: accountId, email, plan, tariff } = await matchyard.accounts.create(wish)
  const { project, keys } = await matchyard.projects.create({ accountId, name: wish.project })
  const [client, server] = keys.map(({ value }) => value ?? '') as [string, string]
  const made = {
    account_id: accountId,
    email,
    plan,
    ...(tariff === undefined ? {} : { tariff }),
    project_id: project.id,
    client_key: client,
    server_key: server,
  }
  return { made, hasQueue: isFirst && (await furnish(matchyard, accountId, project.id)) }
}

/** A queue of duels without game servers, which goes with every orchestrator; none where the limits allow none. */
async function furnish(matchyard: Matchyard, accountId: string, projectId: string): Promise<boolean> {
  const { limits } = await matchyard.billing.plan({ accountId })
  if (!limits.queuesEnabled || !limits.lobbiesEnabled) return false
  await matchyard.queues.create({
    projectId,
    queueId: DEMO_QUEUE,
    name: 'Demo duel',
    matchmaking: { teams: 2, playersPerTeam: 1, rules: [{ type: 'difference', field: 'mmr', maxDifference: 200 }] },
  })
  return true
}
