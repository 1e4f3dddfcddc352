import type { Account } from '../../account/account'
import { normaliseEmail } from '../../account/credentials'
import { isDisabled } from '../../account/decide'
import { PASSWORD_LENGTH } from '../../catalog/limits'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { forgetAnswer } from '../../commit/idempotency'
import { transact, unavailableInsteadOf } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { HashTurn } from '../../ports/passwords'
import type { Ports } from '../../ports/ports'
import { uniqueKey } from '../../ports/storage/index'
import { turnOf } from './hash-turn'
import { grantOf, hasEnded, openSession, type SessionGrant } from './session-grant'

/** E-mail address and password of a login. */
export interface LoginInput {
  /** E-mail address of the account; case is ignored. */
  readonly email: string
  /** Password of the account. */
  readonly password: string
}

/**
 * Opens another session; existing sessions of the account continue (docs/http-api.md §2). An unknown address and a wrong password get the
 * same error after the same computation. A call that is repeated with an idempotency key returns the same session while that session is
 * valid, then a new session. Throws INVALID_LOGIN.
 */
export async function login(ctx: Service, input: LoginInput, call?: CallOptions): Promise<SessionGrant> {
  const known = await unavailableInsteadOf(() => accountOfLogin(ctx, input, turnOf('sign-in', call)))
  if (known === undefined) throw wrongLogin()
  const open = () =>
    transact(ctx, call, async () => {
      // An operator may have set another password, or disabled the account, while the password was verified.
      const account = await ctx.storage.get('account', known.id)
      if (account === undefined || isDisabled(account) || account.passwordHash !== known.passwordHash)
        throw wrongLogin()
      const draft = new Draft(ctx.clock.now()).check('account', account)
      return { draft, answer: openSession(ctx, draft, account, call) }
    })
  let claims = await open()
  if (call?.idempotency !== undefined && (await unavailableInsteadOf(() => hasEnded(ctx, claims)))) {
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
  // A password that is too long is cut to one character more than allowed. It still cannot match, and its hash takes no longer than that of
  // other passwords.
  const bounded = [...password.slice(0, 2 * PASSWORD_LENGTH.max + 2)].slice(0, PASSWORD_LENGTH.max + 1).join('')
  const account = await ctx.storage.find('account', uniqueKey.email(normaliseEmail(email)))
  // The account of an embedding application has no password, so no password matches.
  if (account === undefined || account.passwordHash === '') {
    await ctx.passwords.verifyNothing(bounded, turn)
    return undefined
  }
  const fits = await ctx.passwords.verify(account.passwordHash, bounded, turn)
  return fits && !isDisabled(account) ? account : undefined
}

const wrongLogin = () => new ServiceError('INVALID_LOGIN', 'the e-mail address or the password is wrong')
