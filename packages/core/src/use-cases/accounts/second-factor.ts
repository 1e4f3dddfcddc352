import type { Account } from '../../account/account'
import {
  decideActivateFactor as decideActivate,
  decideBeginFactor as decideBegin,
  hasSecondFactor,
  wrongProof,
} from '../../account/decide-second-factor'
import type { AccountEvent } from '../../account/events'
import type { OnAccount } from '../../account/on-account'
import { drawRecoveryCode, plainCode, RECOVERY_CODES } from '../../account/second-factor'
import type { CallOptions } from '../../commit/call-options'
import { replayed } from '../../commit/idempotency'
import { ofAccount } from '../../commit/of-account'
import { change, unavailableInsteadOf } from '../../commit/transact'
import { accept, type Decision } from '../../errors/decision'
import { ServiceError } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { accountRow } from '../../reads/require'
import type { Instant } from '../../shared/time'
import { codeOf, drawFactorSecret, factorUri, openFactor, sealFactor } from '../../tokens/factor-secret'
import { turnOf } from './hash-turn'
import { boundedPassword } from './password-bound'
import { spendCode } from './spend-code'

/** Account that begins a second factor. */
export interface BeginFactorInput extends OnAccount {
  /** Password of the account, so that a stolen session cannot add a factor and lock out the owner. */
  readonly password: string
}

/** Input of a call with a code of a second factor. */
export interface FactorCodeInput extends OnAccount {
  /** Code of the authenticator: 6 digits. `remove` also accepts a recovery code. Spaces and dashes are ignored. */
  readonly code: string
}

/** State of an account's second factor. */
export interface FactorState {
  /** Whether logins by password need a code. */
  readonly isActive: boolean
  /** Time of the activation; null while the factor is not active. */
  readonly activatedAt: Instant | null
  /** Number of unused recovery codes. */
  readonly recoveryCodesLeft: number
}

/** Second factor that was begun. */
export interface BegunFactor {
  /** Secret in base32 for an authenticator; absent when the call was a repetition. */
  readonly secret?: string
  /** Address `otpauth://…` with the secret, for a QR code; absent when the call was a repetition. */
  readonly uri?: string
}

/** Second factor that was activated. */
export interface ActivatedFactor extends FactorState {
  /** Recovery codes, each of which works once; absent when the call was a repetition. */
  readonly recoveryCodes?: readonly string[]
}

export const getSecondFactor = (ctx: Ports, { accountId }: OnAccount): Promise<FactorState> =>
  unavailableInsteadOf(async () => stateOf(await accountRow(ctx, accountId)))

const stateOf = ({ secondFactor }: Account): FactorState => ({
  isActive: Boolean(secondFactor),
  activatedAt: secondFactor?.activatedAt ?? null,
  recoveryCodesLeft: secondFactor?.recoveryHashes.length ?? 0,
})

export async function beginSecondFactor(
  ctx: Service,
  { accountId, password }: BeginFactorInput,
  call?: CallOptions,
): Promise<BegunFactor> {
  const earlier = await unavailableInsteadOf(() => replayed<BegunFactor>(ctx, call))
  if (earlier !== undefined) return earlier.answer
  const known = await unavailableInsteadOf(() => accountRow(ctx, accountId))
  await requirePassword(ctx, known, password, call)
  const secret = drawFactorSecret((below) => ctx.random.int(below))
  const sealed = sealFactor(ctx.tokens, accountId, secret)
  const begun: BegunFactor = { secret, uri: factorUri(known.email, secret) }
  return change(ctx, ofAccount, accountId, (account, { at }) => decideBegin(account, { sealed, at }), {
    call,
    answer: () => begun,
    recorded: () => ({}),
  })
}

async function requirePassword(ctx: Service, account: Account, password: string, call: CallOptions | undefined) {
  const turn = turnOf('sign-in', call)
  const bounded = boundedPassword(password)
  const { passwordHash: hash } = account
  const fits = await unavailableInsteadOf(() =>
    hash === '' ? ctx.passwords.verifyNothing(bounded, turn) : ctx.passwords.verify(hash, bounded, turn),
  )
  if (!fits) throw ServiceError.of(wrongProof('password').rejected)
}

export function activateSecondFactor(
  ctx: Service,
  { accountId, code }: FactorCodeInput,
  call?: CallOptions,
): Promise<ActivatedFactor> {
  const recoveryCodes = Array.from({ length: RECOVERY_CODES }, () => drawRecoveryCode((below) => ctx.random.int(below)))
  const recoveryHashes = recoveryCodes.map((one) => ctx.tokens.hash(plainCode(one)))
  return change(
    ctx,
    ofAccount,
    accountId,
    (account, { at }) => {
      const sealed = account.pendingFactor?.sealed
      const secret = sealed === undefined ? undefined : openFactor(ctx.tokens, accountId, sealed)
      return decideActivate(account, { code: codeOf(ctx.tokens, secret, code, at), recoveryHashes, at })
    },
    {
      call,
      answer: (account): ActivatedFactor => ({ ...stateOf(account), recoveryCodes }),
      recorded: ({ recoveryCodes: _, ...state }) => state,
    },
  )
}

/** Removes the second factor. The code is spent in a commit of its own, because the account counts wrong codes too. */
export async function removeSecondFactor(
  ctx: Service,
  { accountId, code }: FactorCodeInput,
  call?: CallOptions,
): Promise<void> {
  if ((await unavailableInsteadOf(() => replayed(ctx, call))) !== undefined) return
  if (!(await spendCode(ctx, accountId, code))) throw ServiceError.of(wrongProof('code').rejected)
  await change(ctx, ofAccount, accountId, removeIt, { call, answer: () => undefined })
}

const removeIt = (account: Account): Decision<AccountEvent> =>
  hasSecondFactor(account) || account.pendingFactor ? accept({ type: 'factor_removed' }) : accept()

/** Removes the second factor of an account without a code, for the operator. A repeated call changes nothing. */
export async function resetSecondFactor(ctx: Service, { accountId }: OnAccount, call?: CallOptions): Promise<void> {
  await change(ctx, ofAccount, accountId, removeIt, { call, answer: () => undefined })
}
