import { MAX_MEMBERS } from '../../catalog/limits'
import type { Role } from '../../catalog/roles'
import { unavailableInsteadOf } from '../../commit/transact'
import { type Invitation, isOver } from '../../member/invitation'
import type { Ports } from '../../ports/ports'
import { type ByPerson, invitationsOf, requireActor } from '../../reads/members'
import type { Instant } from '../../shared/time'

/** Person with rights in a project, as the members of the project see the person. */
export interface ListedMember {
  /** Account of the person: `acc_` and a ULID. */
  readonly accountId: string
  /** Display name of the account. */
  readonly name: string
  /** E-mail address of the account. */
  readonly email: string
  /** Rights of the person in the project. */
  readonly role: Role
  /** Whether the account owns the project and pays for it. Its role is always `owner`, and it cannot be removed. */
  readonly ownsProject: boolean
  /** Time at which the account joined the project; for the account that owns it, the time at which the project was created. */
  readonly joinedAt: Instant
}

/** Invitation that can still be used, without its token. */
export type ListedInvitation = Omit<Invitation, 'version' | 'tokenHash'>

/** Members of a project, and its invitations that can still be used. */
export interface ListedMembers {
  /** Account that owns the project, then the other members by account id: at most 101. */
  readonly members: readonly ListedMember[]
  /** Invitations, by id: at most 100. */
  readonly invitations: readonly ListedInvitation[]
}

export function listMembers(ctx: Ports, input: ByPerson): Promise<ListedMembers> {
  return unavailableInsteadOf(async () => {
    const { project } = await requireActor(ctx, input)
    const [members, invitations] = await Promise.all([
      ctx.storage.members.ofProject(project.id, MAX_MEMBERS),
      invitationsOf(ctx, project.id),
    ])
    const ids = [project.accountId, ...members.map(({ accountId }) => accountId)]
    const accounts = new Map((await ctx.storage.getMany('account', ids)).map((account) => [account.id, account]))
    const listed = (accountId: string, role: Role, joinedAt: Instant): ListedMember => {
      const { name = '', email = '' } = accounts.get(accountId) ?? {}
      return { accountId, name, email, role, ownsProject: accountId === project.accountId, joinedAt }
    }
    const now = ctx.clock.now()
    return {
      members: [
        listed(project.accountId, 'owner', project.createdAt),
        ...members.map(({ accountId, role, createdAt }) => listed(accountId, role, createdAt)),
      ],
      invitations: invitations.filter((invitation) => !isOver(invitation, now)).map(shown),
    }
  })
}

const shown = ({ version: _, tokenHash: __, ...invitation }: Invitation): ListedInvitation => invitation
