import { Draft } from '../../commit/draft'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'

/** Releases an invite code that a lobby gave up, when its hold is over, so that the code may be drawn again. */
export async function releaseInviteCode(ctx: Service, holdId: string): Promise<void> {
  await transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const hold = await ctx.storage.get('invite-hold', holdId)
    if (hold !== undefined) draft.remove('invite-hold', hold)
    return { draft, answer: null }
  })
}
