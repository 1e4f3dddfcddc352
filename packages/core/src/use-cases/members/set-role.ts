import { isRole, ROLES, type Role } from '../../catalog/roles'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { endInvitations, handKey, writeMember } from '../../commit/rows/member'
import { transact } from '../../commit/transact'
import { orThrow, validationFailed } from '../../errors/service-error'
import { decideSetRole, mayManage } from '../../member/decide'
import type { Service } from '../../node/service'
import { type ByPerson, invitationsOf, liveKeysOf, requireActor, requireMember } from '../../reads/members'
import type { Instant } from '../../shared/time'

/** New role of a member. */
export interface SetRoleInput extends ByPerson {
  /** Account of the member. */
  readonly memberAccountId: string
  /** New role. Nobody grants more than their own role. */
  readonly role: Role
}

/** Rights of a person in a project. */
export interface Membership {
  /** Project: `prj_` and a ULID. */
  readonly projectId: string
  /** Account of the person: `acc_` and a ULID. */
  readonly accountId: string
  /** Rights of the person in the project. */
  readonly role: Role
  /** Time at which the account joined the project. */
  readonly joinedAt: Instant
}

/**
 * Sets the role of a member. The same commit sets the role of the member's valid server keys, and removes the invitations of the member for
 * which the new role is too low.
 */
export function setRole(ctx: Service, input: SetRoleInput, call?: CallOptions): Promise<Membership> {
  return transact(ctx, call, async () => {
    const { role } = input
    if (!isRole(role)) throw validationFailed([{ path: 'role', message: `must be one of ${ROLES.join(', ')}` }])
    const actor = await requireActor(ctx, input, 'admin')
    const { id: projectId } = actor.project
    const member = await requireMember(ctx, projectId, input.memberAccountId)
    const draft = new Draft(ctx.clock.now())
    const events = orThrow(decideSetRole(member, { role, by: actor.role }))
    const after = writeMember(draft, member, events)
    if (events.length > 0) {
      const keys = await liveKeysOf(ctx, member, draft.at)
      for (const key of keys) handKey(draft, key, { mintedBy: member.accountId, role })
      const made = (await invitationsOf(ctx, projectId)).filter(({ invitedBy }) => invitedBy === member.accountId)
      endInvitations(
        draft,
        projectId,
        made.filter((one) => !mayManage(role, one.role).ok),
      )
      if (actor.member !== undefined && actor.member.id !== member.id) draft.check('member', actor.member)
    }
    return {
      draft,
      answer: { projectId, accountId: after.accountId, role: after.role, joinedAt: after.createdAt },
    }
  })
}
