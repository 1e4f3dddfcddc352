import type { OnAccount } from '../../account/on-account'
import { drawSignInSecret, SIGN_IN_CODE_LIFETIME_MS, signInCodeOf } from '../../account/sign-in-code'
import type { CallOptions } from '../../commit/call-options'
import { ofAccount } from '../../commit/of-account'
import { change } from '../../commit/transact'
import { accept } from '../../errors/decision'
import type { Service } from '../../node/service'
import type { Instant } from '../../shared/time'

export interface SignInCode {
  /** Code for the person who signs in. Only its hash is stored, so no other call returns the code. */
  readonly code: string
  /** Time at which the code expires. The code works once. */
  readonly expiresAt: Instant
}

export async function drawSignInCode(ctx: Service, input: OnAccount, call?: CallOptions): Promise<SignInCode> {
  const { accountId } = input
  const secret = drawSignInSecret((below) => ctx.random.int(below))
  let expiresAt = 0
  await change(
    ctx,
    ofAccount,
    accountId,
    (_account, { at }) => {
      expiresAt = at + SIGN_IN_CODE_LIFETIME_MS
      return accept({ type: 'sign_in_code_drawn', hash: ctx.tokens.hash(secret), expiresAt })
    },
    { call },
  )
  return { code: signInCodeOf(accountId, secret), expiresAt }
}
