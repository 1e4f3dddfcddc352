import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { followUps } from '../../commit/follow-ups'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import { requireProject } from '../../reads/require'

export interface ErasePlayerInput extends InProject {
  /** Player whose data are erased. */
  readonly playerId: string
}

/**
 * Erases a player from the project: removes the player from lobbies, and the player's id and state from matches. A job starts at once. Data
 * that expires by itself (idempotent answers, logs of streams) no longer exists after a day. The call can be repeated, also for an unknown
 * player.
 */
export async function erasePlayer(
  ctx: Service,
  { projectId, playerId }: ErasePlayerInput,
  call?: CallOptions,
): Promise<void> {
  await transact(ctx, call, async () => {
    const project = await requireProject(ctx, projectId)
    const draft = new Draft(ctx.clock.now()).check('project', project)
    draft.job(...followUps.playerErased(project, playerId, draft.at))
    return { draft, answer: null }
  })
}
