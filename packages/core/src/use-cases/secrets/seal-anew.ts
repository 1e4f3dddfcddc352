import { Draft } from '../../commit/draft'
import { ofAccount } from '../../commit/of-account'
import { change, transact, unavailableInsteadOf } from '../../commit/transact'
import { accept } from '../../errors/decision'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { factorOpensNow, openFactor, sealFactor } from '../../tokens/factor-secret'
import { openSecret, opensNow, sealSecret } from '../../tokens/sealed-secret'
import { everyAccount, everySecret } from './every-secret'

/** Numbers of the secrets of all projects, by the secret of the installation that opens them. */
export interface SecretSeals {
  /** Secrets that the secret in force opens. */
  readonly current: number
  /** Secrets that only the other accepted secret opens. */
  readonly other: number
  /** Secrets that no accepted secret opens. */
  readonly unreadable: number
  /** Second factors of accounts, by the secret that opens them; those that are begun and not active are not counted. */
  readonly factors: FactorSeals
}

/** Numbers of the second factors of all accounts, by the secret of the installation that opens them. */
export interface FactorSeals {
  /** Second factors that the secret in force opens. */
  readonly current: number
  /** Second factors that only the other accepted secret opens. */
  readonly other: number
  /** Second factors that no accepted secret opens. Their recovery codes still work. */
  readonly unreadable: number
}

/** Returns how many secrets each secret of the installation opens. */
export const countSeals = (ctx: Ports): Promise<SecretSeals> =>
  unavailableInsteadOf(async () => {
    const factors = { current: 0, other: 0, unreadable: 0 }
    for await (const { id, secondFactor } of everyAccount(ctx)) {
      if (!secondFactor) continue
      if (factorOpensNow(ctx.tokens, id, secondFactor.sealed)) factors.current++
      else if (openFactor(ctx.tokens, id, secondFactor.sealed) === undefined) factors.unreadable++
      else factors.other++
    }
    const seals = { current: 0, other: 0, unreadable: 0, factors }
    for await (const secret of everySecret(ctx)) {
      if (opensNow(ctx.tokens, secret)) seals.current++
      else if (openSecret(ctx.tokens, secret) === undefined) seals.unreadable++
      else seals.other++
    }
    return seals
  })

/**
 * Encrypts the secrets of all projects, and the second factors of all accounts, with the secret of the installation that is in force. Their values and times stay. Each secret is a
 * commit of its own, so a call that was interrupted can be repeated. Returns the numbers after it.
 */
export async function sealAnew(ctx: Service): Promise<SecretSeals> {
  for await (const secret of everySecret(ctx)) {
    if (!opensNow(ctx.tokens, secret)) await sealOne(ctx, secret.id)
  }
  for await (const { id, secondFactor } of everyAccount(ctx)) {
    if (secondFactor && !factorOpensNow(ctx.tokens, id, secondFactor.sealed)) await sealFactorOf(ctx, id)
  }
  return countSeals(ctx)
}

const sealOne = (ctx: Service, id: string): Promise<void> =>
  transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const secret = await ctx.storage.get('secret', id)
    const value = secret && openSecret(ctx.tokens, secret)
    if (secret !== undefined && value !== undefined) {
      const sealed = sealSecret(ctx.tokens, secret.projectId, secret.name, value)
      draft.update('secret', secret, { ...secret, sealed })
    }
    return { draft, answer: undefined }
  })

async function sealFactorOf(ctx: Service, accountId: string): Promise<void> {
  await change(ctx, ofAccount, accountId, ({ secondFactor }) => {
    const secret = secondFactor ? openFactor(ctx.tokens, accountId, secondFactor.sealed) : undefined
    if (secret === undefined) return accept()
    return accept({ type: 'factor_sealed_anew' as const, sealed: sealFactor(ctx.tokens, accountId, secret) })
  })
}
