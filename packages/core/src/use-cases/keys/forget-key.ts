import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'
import { isExpired } from '../../project/decide'

/**
 * Deletes the row of an expired key, which is refused with and without its row. Returns the time of the next check when the expiry is still to
 * come.
 */
export function forgetKey(ctx: Service, keyId: string): Promise<number | undefined> {
  return transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const key = await ctx.storage.get('api-key', keyId)
    if (key === undefined) return { draft, answer: undefined }
    if (!isExpired(key, draft.at)) return { draft, answer: key.expiresAt }
    return { draft: draft.remove('api-key', key), answer: undefined }
  })
}
