import { Draft } from '../../commit/draft'
import { transact, unavailableInsteadOf } from '../../commit/transact'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { openSecret, opensNow, sealSecret } from '../../tokens/sealed-secret'
import { everySecret } from './every-secret'

/** Numbers of the secrets of all projects, by the secret of the installation that opens them. */
export interface SecretSeals {
  /** Secrets that the secret in force opens. */
  readonly current: number
  /** Secrets that only the other accepted secret opens. */
  readonly other: number
  /** Secrets that no accepted secret opens. */
  readonly unreadable: number
}

/** Returns how many secrets each secret of the installation opens. */
export const countSeals = (ctx: Ports): Promise<SecretSeals> =>
  unavailableInsteadOf(async () => {
    const seals = { current: 0, other: 0, unreadable: 0 }
    for await (const secret of everySecret(ctx)) {
      if (opensNow(ctx.tokens, secret)) seals.current++
      else if (openSecret(ctx.tokens, secret) === undefined) seals.unreadable++
      else seals.other++
    }
    return seals
  })

/**
 * Encrypts the secrets of all projects with the secret of the installation that is in force. Their values and times stay. Each secret is a
 * commit of its own, so a call that was interrupted can be repeated. Returns the numbers after it.
 */
export async function sealAnew(ctx: Service): Promise<SecretSeals> {
  for await (const secret of everySecret(ctx)) {
    if (!opensNow(ctx.tokens, secret)) await sealOne(ctx, secret.id)
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
