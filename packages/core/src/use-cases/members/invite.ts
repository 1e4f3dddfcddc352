import { holdingExceeded } from '../../billing/limits'
import { MAX_EMAIL_LENGTH, MAX_INVITATIONS } from '../../catalog/limits'
import { isRole, ROLES, type Role } from '../../catalog/roles'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { putInvitation, writeMember } from '../../commit/rows/member'
import { transact } from '../../commit/transact'
import { ServiceError, type ValidationIssue, validationFailed } from '../../errors/service-error'
import { leastToManage } from '../../member/decide'
import { drawInvitationToken, INVITATION_LIFETIME_MS, isOver } from '../../member/invitation'
import type { Service } from '../../node/service'
import { type ByPerson, invitationsOf, requireActor } from '../../reads/members'
import { accountOf } from '../../reads/require'
import { holdsUnseen } from '../../shared/plain-text'
import type { ListedInvitation } from './list-members'

/** Invitation of a person to a project. */
export interface InviteInput extends ByPerson {
  /** Role that the account gets. Nobody grants more than their own role. */
  readonly role: Role
  /** E-mail address for which the invitation is meant, as text for lists. The service sends no mail. */
  readonly email?: string | undefined
}

/** New invitation with its token. The token is returned only once: it is null in the answer to a repeated call. */
export interface MadeInvitation {
  /** The invitation as members see it. */
  readonly invitation: ListedInvitation
  /** Token that the invited person sends; null in the answer to a repeated call. */
  readonly token: string | null
}

export function invite(ctx: Service, input: InviteInput, call?: CallOptions): Promise<MadeInvitation> {
  return transact<MadeInvitation>(ctx, call, async () => {
    checkInvitation(input)
    const { project, member } = await requireActor(ctx, input, leastToManage(input.role))
    const stored = await invitationsOf(ctx, project.id)
    const account = await accountOf(ctx, project)
    const draft = new Draft(ctx.clock.now()).check('project', project)
    const expired = stored.filter((one) => isOver(one, draft.at))
    const full = () => ServiceError.of(holdingExceeded(account, 'max_invitations', MAX_INVITATIONS, 'invitation'))
    if (stored.length - expired.length >= MAX_INVITATIONS) throw full()
    const token = drawInvitationToken((below) => ctx.random.int(below))
    const {
      version: _,
      tokenHash: __,
      ...invitation
    } = putInvitation(
      draft,
      {
        id: ctx.ids.next('inv'),
        version: 1,
        projectId: project.id,
        tokenHash: ctx.tokens.hash(token),
        role: input.role,
        email: input.email ?? null,
        invitedBy: input.personId ?? null,
        createdAt: draft.at,
        expiresAt: draft.at + INVITATION_LIFETIME_MS,
      },
      expired,
    )
    if (member !== undefined) writeMember(draft, member, [{ type: 'member_invited' }])
    return {
      draft,
      answer: { invitation, token },
      recorded: { invitation, token: null },
      onConflict: ({ on }) => (on === 'limit' ? full() : undefined),
    }
  })
}

function checkInvitation({ role, email }: InviteInput): void {
  const issues: ValidationIssue[] = []
  if (!isRole(role)) issues.push({ path: 'role', message: `must be one of ${ROLES.join(', ')}` })
  if (email !== undefined && (email === '' || email.length > MAX_EMAIL_LENGTH || holdsUnseen(email)))
    issues.push({ path: 'email', message: `must be text of 1 to ${MAX_EMAIL_LENGTH} visible characters` })
  if (issues.length > 0) throw validationFailed(issues)
}
