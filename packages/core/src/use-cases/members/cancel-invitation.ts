import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { endInvitations } from '../../commit/rows/member'
import { transact } from '../../commit/transact'
import { orThrow } from '../../errors/service-error'
import { mayManage, noSuchInvitation } from '../../member/decide'
import { type Invitation, isOver } from '../../member/invitation'
import type { Service } from '../../node/service'
import { type ByPerson, requireActor } from '../../reads/members'

/** Invitation that is cancelled. */
export interface CancelInvitationInput extends ByPerson {
  /** Id of the invitation: `inv_` and a ULID. */
  readonly invitationId: string
}

export function cancelInvitation(ctx: Service, input: CancelInvitationInput, call?: CallOptions): Promise<void> {
  return transact(ctx, call, async () => {
    const { project, role, member } = await requireActor(ctx, input, 'admin')
    const found = await ctx.storage.get('invitation', input.invitationId)
    const draft = new Draft(ctx.clock.now())
    if (found === undefined || found.projectId !== project.id || isOver(found, draft.at)) orThrow(noSuchInvitation())
    const invitation = found as Invitation
    orThrow(mayManage(role, invitation.role))
    endInvitations(draft, project.id, [invitation])
    if (member !== undefined) draft.check('member', member)
    return { draft, answer: undefined }
  })
}
