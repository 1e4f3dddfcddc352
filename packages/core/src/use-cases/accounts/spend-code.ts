import { decideUseCode } from '../../account/decide-second-factor'
import { ofAccount } from '../../commit/of-account'
import { change } from '../../commit/transact'
import type { Service } from '../../node/service'
import { codeOf, openFactor } from '../../tokens/factor-secret'

/**
 * Spends a code of an account's second factor: returns whether it was correct, after the commit that spends or counts it. Of several calls
 * with one code, on any nodes, exactly one gets true, because each commit expects the version of the account; for the same reason no call
 * learns the result of a guess that was not counted. Throws RATE_LIMITED after too many wrong codes.
 */
export async function spendCode(ctx: Service, accountId: string, code: string): Promise<boolean> {
  let isCorrect = false
  await change(ctx, ofAccount, accountId, (account, { at }) => {
    const sealed = account.secondFactor?.sealed
    const secret = sealed === undefined ? undefined : openFactor(ctx.tokens, accountId, sealed)
    const use = decideUseCode(account, { code: codeOf(ctx.tokens, secret, code, at), at })
    isCorrect = use.ok && use.events.every(({ type }) => type !== 'code_wrong')
    return use
  })
  return isCorrect
}
