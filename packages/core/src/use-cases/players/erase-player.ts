import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { followUps } from '../../commit/follow-ups'
import { transact } from '../../commit/transact'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import { requireProject } from '../../reads/require'

export interface ErasePlayerInput extends InProject {
  readonly playerId: string
}

/**
 * Takes a player out of the project: out of its lobbies, and, with its id and state, out of its matches. It is done by a job that begins at
 * once; what expires by itself (answers kept for idempotency, streams' logs) is gone within a day. Again is fine, also for a
 * player whom nobody knows.
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
