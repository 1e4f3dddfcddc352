import type { Account } from '../../account/account'
import { normaliseEmail } from '../../account/credentials'
import { isDisabled } from '../../account/decide'
import { codeNeeded, hasSecondFactor } from '../../account/decide-second-factor'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { forgetAnswer, replayed } from '../../commit/idempotency'
import { transact, unavailableInsteadOf } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { HashTurn } from '../../ports/passwords'
import type { Ports } from '../../ports/ports'
import { uniqueKey } from '../../ports/storage/index'
import { turnOf } from './hash-turn'
import { boundedPassword } from './password-bound'
import { grantOf, hasEnded, openSession, type SessionGrant } from './session-grant'
import { spendCode } from './spend-code'

/** E-mail address and password of a login. */
export interface LoginInput {
  /** E-mail address of the account; case is ignored. */
  readonly email: string
  /** Password of the account. */
  readonly password: string
  /** Code of the second factor: of the authenticator, or a recovery code. Needed when the account has one; otherwise ignored. */
  readonly code?: string | undefined
}

/**
 * Opens another session; existing sessions of the account continue (docs/http-api.md §2). An unknown address and a wrong password get the
 * same error after the same computation. A call that is repeated with an idempotency key returns the same session while that session is
 * valid, then a new session; with a second factor, a new session needs a new code. Throws INVALID_LOGIN, SECOND_FACTOR_REQUIRED, RATE_LIMITED.
 */
export async function login(ctx: Service, input: LoginInput, call?: CallOptions): Promise<SessionGrant> {
  const known = await unavailableInsteadOf(() => accountOfLogin(ctx, input, turnOf('sign-in', call)))
  if (known === undefined) throw wrongLogin()
  const needsCode = hasSecondFactor(known)
  if (needsCode) await proveFactor(ctx, known, input.code, call)
  const open = () =>
    transact(ctx, call, async () => {
      // An operator may have set another password, or disabled the account, while the password was verified.
      const account = await ctx.storage.get('account', known.id)
      if (account === undefined || isDisabled(account) || account.passwordHash !== known.passwordHash)
        throw wrongLogin()
      if (hasSecondFactor(account) && !needsCode) throw ServiceError.of(codeNeeded().rejected)
      const draft = new Draft(ctx.clock.now()).check('account', account)
      return { draft, answer: openSession(ctx, draft, account, call) }
    })
  let claims = await open()
  if (call?.idempotency !== undefined && (await unavailableInsteadOf(() => hasEnded(ctx, claims)))) {
    // The code of the repeated call was spent with the first session.
    if (needsCode) throw wrongLogin()
    await unavailableInsteadOf(() => forgetAnswer(ctx, call))
    claims = await open()
  }
  return unavailableInsteadOf(() => grantOf(ctx, claims))
}

async function accountOfLogin(
  ctx: Ports,
  { email, password }: LoginInput,
  turn: HashTurn,
): Promise<Account | undefined> {
  const bounded = boundedPassword(password)
  const account = await ctx.storage.find('account', uniqueKey.email(normaliseEmail(email)))
  // The account of an embedding application has no password, so no password matches.
  if (account === undefined || account.passwordHash === '') {
    await ctx.passwords.verifyNothing(bounded, turn)
    return undefined
  }
  const fits = await ctx.passwords.verify(account.passwordHash, bounded, turn)
  return fits && !isDisabled(account) ? account : undefined
}

const wrongLogin = () => new ServiceError('INVALID_LOGIN', 'the e-mail address, the password or the code is wrong')

/** Spends the code of a login. A repeated call spends none, because it only returns the session of the first call. */
async function proveFactor(
  ctx: Service,
  { id }: Account,
  code: string | undefined,
  call: CallOptions | undefined,
): Promise<void> {
  if (code === undefined) throw ServiceError.of(codeNeeded().rejected)
  if ((await unavailableInsteadOf(() => replayed(ctx, call))) !== undefined) return
  if (!(await spendCode(ctx, id, code))) throw wrongLogin()
}
