import { isDisabled } from '../../account/decide'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { transact, unavailableInsteadOf } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'
import { grantOf, hasEnded, openSession, type SessionGrant } from './session-grant'

/** Input of a sign-in without a password, which an embedding program has to justify by itself. */
export interface SignInInput {
  /** Account that signs in. */
  readonly accountId: string
}

export async function signIn(ctx: Service, { accountId }: SignInInput, call?: CallOptions): Promise<SessionGrant> {
  const claims = await transact(ctx, call, async () => {
    const account = await ctx.storage.get('account', accountId)
    if (account === undefined || isDisabled(account)) throw refused('there is no such account, or it is disabled')
    const draft = new Draft(ctx.clock.now()).check('account', account)
    return { draft, answer: openSession(ctx, draft, account, call) }
  })
  return unavailableInsteadOf(async () => {
    if (call?.idempotency !== undefined && (await hasEnded(ctx, claims))) {
      throw refused(
        'the session that the first call with this idempotency key returned has ended; sign in again with a new idempotency key',
      )
    }
    return grantOf(ctx, claims)
  })
}

const refused = (why: string) => new ServiceError('INVALID_LOGIN', why)
