import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'
import { isExpired } from '../../project/decide'

/**
 * Deletes the row of an expired key; the key is refused with and without the row. When the key has not expired yet, returns the time of the
 * next check.
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
