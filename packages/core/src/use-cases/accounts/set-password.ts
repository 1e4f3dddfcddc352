import { passwordIssues } from '../../account/credentials'
import type { CallOptions } from '../../commit/call-options'
import { ofAccount } from '../../commit/of-account'
import { change } from '../../commit/transact'
import { accept } from '../../errors/decision'
import { validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'

/** New password of an account. */
export interface SetPasswordInput {
  /** Account whose password changes. All its sessions end. */
  readonly accountId: string
  /** Password of 8 to 256 characters. */
  readonly password: string
}

export async function setPassword(
  ctx: Service,
  { accountId, password }: SetPasswordInput,
  call?: CallOptions,
): Promise<void> {
  const issues = passwordIssues(password)
  if (issues.length > 0) throw validationFailed(issues)
  const passwordHash = await ctx.passwords.hash(password)
  await change(ctx, ofAccount, accountId, (_account, { at }) => accept({ type: 'password_set', passwordHash, at }), {
    call,
  })
}
