import { normaliseEmail, registrationIssues } from '../../account/credentials'
import { newAccount } from '../../account/new-account'
import { OPERATOR_PLAN, type PlanChoice, SELF_HOSTED } from '../../catalog/plans'
import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { Context } from '../../context/context'
import { validationFailed } from '../../errors/service-error'
import { uniqueKey } from '../../ports/storage/index'
import { type AccountProfile, profileOf } from './account-profile'
import { emailTaken } from './email-taken'

export interface CreateAccountInput {
  readonly email: string
  /** 8 to 256 characters. */
  readonly password: string
  /** 1 to 128 characters. */
  readonly name: string
  /** Default `self_hosted`: the operator's limits, and no charges. */
  readonly plan?: PlanChoice | undefined
}

/** Makes an account on the word of whoever runs the installation, whether or not registration is open. Throws VALIDATION_FAILED, EMAIL_TAKEN. */
export async function createAccount(ctx: Context, input: CreateAccountInput): Promise<AccountProfile> {
  const issues = registrationIssues(input)
  if (issues.length > 0) throw validationFailed(issues)
  const email = normaliseEmail(input.email)
  const { plan = SELF_HOSTED, name } = input
  const on = plan === SELF_HOSTED ? { plan: OPERATOR_PLAN, tariff: plan } : { plan }
  let passwordHash: string | undefined
  return transact(ctx, undefined, async () => {
    if ((await ctx.storage.find('account', uniqueKey.email(email))) !== undefined) throw emailTaken(email)
    passwordHash ??= await ctx.passwords.hash(input.password)
    const draft = new Draft(ctx.clock.now())
    const account = newAccount({ id: ctx.ids.next('acc'), email, name, passwordHash, ...on }, draft.at)
    return {
      draft,
      answer: profileOf(draft.create('account', account)),
      onConflict: ({ id: key }) => (key === uniqueKey.email(email) ? emailTaken(email) : undefined),
    }
  })
}
