import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { liftBan } from '../../commit/rows/ban'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'
import { requireProject } from '../../reads/require'
import { type GetBanInput, requireBan } from './read-bans'

/** Lifts the ban of a player. Throws BAN_NOT_FOUND, also for a ban that has ended, and PROJECT_NOT_FOUND. */
export async function deleteBan(ctx: Service, input: GetBanInput, call?: CallOptions): Promise<void> {
  await transact(ctx, call, async () => {
    const project = await requireProject(ctx, input.projectId)
    const ban = await requireBan(ctx, input)
    const draft = new Draft(ctx.clock.now())
    liftBan(draft, project, ban)
    return { draft, answer: null }
  })
}
