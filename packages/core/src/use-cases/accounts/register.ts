import { normaliseEmail, registrationIssues } from '../../account/credentials'
import { newAccount } from '../../account/new-account'
import { DEFAULT_PLAN } from '../../catalog/plans'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { transact, unavailableInsteadOf } from '../../commit/transact'
import { validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { uniqueKey } from '../../ports/storage/index'
import { emailTaken } from './email-taken'
import { turnOf } from './hash-turn'
import { grantOf, hasEnded, openSession, type SessionGrant } from './session-grant'

/** Account that a developer creates. */
export interface RegisterInput {
  /** E-mail address with which the developer logs in, at most 254 characters; case is ignored. */
  readonly email: string
  /** Password of 8 to 256 characters. */
  readonly password: string
  /** Name of 1 to 128 characters. */
  readonly name: string
}

export async function register(ctx: Service, input: RegisterInput, call?: CallOptions): Promise<SessionGrant> {
  const issues = registrationIssues(input)
  if (issues.length > 0) throw validationFailed(issues)
  const email = normaliseEmail(input.email)
  // Hashing is slow on purpose, so a retry after a conflict uses the same hash again.
  let passwordHash: string | undefined
  const claims = await transact(ctx, call, async () => {
    if ((await ctx.storage.find('account', uniqueKey.email(email))) !== undefined) throw emailTaken(email)
    passwordHash ??= await ctx.passwords.hash(input.password, turnOf('registration', call))
    const draft = new Draft(ctx.clock.now())
    const id = ctx.ids.next('acc')
    const account = newAccount({ id, email, name: input.name, passwordHash, plan: DEFAULT_PLAN }, draft.at)
    return {
      draft,
      answer: openSession(ctx, draft, draft.create('account', account), call),
      onConflict: ({ id: key }) => (key === uniqueKey.email(email) ? emailTaken(email) : undefined),
    }
  })
  return unavailableInsteadOf(async () => {
    // The account exists, but the session of the first call may have ended.
    if (call?.idempotency !== undefined && (await hasEnded(ctx, claims))) throw emailTaken(email)
    return grantOf(ctx, claims)
  })
}
