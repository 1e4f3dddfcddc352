import type { Account } from '../../account/account'
import { newAccount } from '../../account/new-account'
import { requirePlan } from '../../billing/require-plan'
import { EMBEDDED_PLAN, PLANS, type Plan as PlanName } from '../../catalog/plans'
import { Draft } from '../../commit/draft'
import { putProject } from '../../commit/rows/project'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { uniqueKey } from '../../ports/storage/index'
import type { Project } from '../../project/project'
import { slugOf } from '../../project/slug'

/** Project that an embedding program needs. */
export interface EnsureProjectInput {
  /** Name of the project, 1 to 64 characters. The account's project with the slug of this name is returned, or created. */
  readonly name: string
  /** E-mail address of the owning account; it is converted to lower case. Default: one account for all embedded projects. */
  readonly email?: string | undefined
  /** Hash of a password for logging in to the account. Default: nobody can log in to the account. */
  readonly passwordHash?: string | undefined
  /** Plan of the account. Default: `EMBEDDED_PLAN`, with which the embedding application decides the limits. */
  readonly plan?: PlanName | undefined
}

const EMBEDDED_EMAIL = 'embedded@matchyard.invalid'
export async function ensureProject(ctx: Service, input: EnsureProjectInput): Promise<Project> {
  requirePlan(input.plan, PLANS)
  return transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const email = (input.email ?? EMBEDDED_EMAIL).toLowerCase()
    const known = await ctx.storage.find('account', uniqueKey.email(email))
    const account =
      known === undefined
        ? draft.create('account', embedded(ctx, email, input, draft.at))
        : withPassword(draft, known, input)
    const slug = slugOf(input.name)
    const project = await ctx.storage.find('project', uniqueKey.slug(account.id, slug))
    if (project !== undefined) return { draft, answer: project }
    return { draft, answer: putProject(ctx, draft, { accountId: account.id, name: input.name, slug }) }
  })
}

/** Returns the account with the given password hash. A demo that lost the file with its password thus sets a new password. */
function withPassword(draft: Draft, account: Account, { passwordHash }: EnsureProjectInput): Account {
  if (passwordHash === undefined || passwordHash === account.passwordHash) return account
  return draft.update('account', account, { ...account, passwordHash, updatedAt: draft.at })
}

function embedded(ctx: Ports, email: string, input: EnsureProjectInput, at: number): Account {
  const plan = input.plan ?? EMBEDDED_PLAN
  // An empty hash matches no password.
  return newAccount(
    { id: ctx.ids.next('acc'), email, name: input.name, passwordHash: input.passwordHash ?? '', plan },
    at,
  )
}
