import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'

/** Releases a freed invite code when its hold is over, so that it may be drawn again. */
export async function releaseInviteCode(ctx: Service, holdId: string): Promise<void> {
  await transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const hold = await ctx.storage.get('invite-hold', holdId)
    if (hold !== undefined) draft.remove('invite-hold', hold)
    return { draft, answer: null }
  })
}
