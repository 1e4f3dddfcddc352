import { decideUseSignInCode as decideUse } from '../../account/decide'
import { partsOfSignInCode } from '../../account/sign-in-code'
import { ofAccount } from '../../commit/of-account'
import { change, unavailableInsteadOf } from '../../commit/transact'
import { accept } from '../../errors/decision'
import type { Service } from '../../node/service'

export interface UseSignInCodeInput {
  readonly code: string
  /** Name of the caller's request, when the request may be repeated. Repetitions with the same name count as one use of the code. */
  readonly by?: string | undefined
}

/**
 * Returns the account of a code that `drawSignInCode` created; undefined for an invalid or used code. A code works once. The caller then
 * opens a session with `signIn`.
 */
export async function useSignInCode(ctx: Service, { code, by }: UseSignInCodeInput): Promise<string | undefined> {
  const parts = partsOfSignInCode(code)
  if (parts === undefined) return undefined
  const { accountId, secret } = parts
  const account = await unavailableInsteadOf(() => ctx.storage.get('account', accountId))
  if (account === undefined) return undefined
  const use = { hash: ctx.tokens.hash(secret), by: by ?? null }
  let isGood = false
  await change(ctx, ofAccount, accountId, (now, { at }) => {
    const verdict = decideUse(now, { ...use, at })
    isGood = verdict.ok
    return isGood ? verdict : accept()
  })
  return isGood ? accountId : undefined
}
