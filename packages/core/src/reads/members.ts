import type { Grant } from '../access/grant'
import { roleAllows } from '../access/role-allows'
import { isDisabled } from '../account/decide'
import { MAX_GRANTS, MAX_INVITATIONS } from '../catalog/limits'
import type { Role } from '../catalog/roles'
import { orThrow } from '../errors/service-error'
import { noSuchMember } from '../member/decide'
import type { Invitation } from '../member/invitation'
import { type Member, memberId } from '../member/member'
import type { Ports } from '../ports/ports'
import type { ApiKey } from '../project/api-key'
import type { Project } from '../project/project'
import { noSuchProject, requireOwnProject } from './require'

/** Project of an account, with the person who makes the call. */
export interface ByPerson {
  /** Account that owns the project: `acc_` and a ULID. */
  readonly accountId: string
  /** Id of the project: `prj_` and a ULID. */
  readonly projectId: string
  /**
   * Account of the person who makes the call: the project's own account, or a member. Absent: the embedding application itself makes the call,
   * with all rights.
   */
  readonly personId?: string | undefined
}

/** Person who makes a call about a project, with the rights at the time of the read. */
export interface ActingPerson {
  readonly role: Role
  /** Record of the person; undefined for the project's own account, and for the embedding application. */
  readonly member: Member | undefined
}

/**
 * Returns the project and the person who makes a call about it. Throws PROJECT_NOT_FOUND, also when the person is not a member any more, and
 * ROLE_NOT_ALLOWED when the role of the person is lower than `least`.
 */
export async function requireActor(
  ctx: Ports,
  by: ByPerson,
  least: Role = 'viewer',
): Promise<ActingPerson & { readonly project: Project }> {
  const project = await requireOwnProject(ctx, by)
  const { personId } = by
  if (personId === undefined || personId === project.accountId) return { project, role: 'owner', member: undefined }
  const member = await ctx.storage.get('member', memberId(project.id, personId))
  if (member === undefined) return noSuchProject(project.id)
  orThrow(roleAllows(member.role, least))
  return { project, role: member.role, member }
}

/** Returns a member of a project. Throws MEMBER_NOT_FOUND. */
export async function requireMember(ctx: Ports, projectId: string, accountId: string): Promise<Member> {
  const member = await ctx.storage.get('member', memberId(projectId, accountId))
  if (member === undefined) orThrow(noSuchMember(projectId, accountId))
  return member as Member
}

/** Returns the server keys of a member that are neither revoked nor expired. */
export async function liveKeysOf(ctx: Ports, member: Member, at: number): Promise<ApiKey[]> {
  const keys = await ctx.storage.getMany(
    'api-key',
    member.keys.map(({ id }) => id),
  )
  return keys.filter(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === undefined || expiresAt > at))
}

/** Returns the stored invitations of a project, with those that have expired. */
export const invitationsOf = (ctx: Ports, projectId: string): Promise<Invitation[]> =>
  ctx.storage.invitations.ofProject(projectId, MAX_INVITATIONS)

/**
 * Returns the grants of an account. Grants of projects whose account is disabled are left out, as the keys of these projects are refused.
 */
export async function grantsOf(ctx: Ports, accountId: string): Promise<Grant[]> {
  const members = await ctx.storage.members.ofAccount(accountId, MAX_GRANTS)
  if (members.length === 0) return []
  const owners = await ctx.storage.getMany('account', [...new Set(members.map(({ ownerId }) => ownerId))])
  const enabled = new Set(owners.filter((owner) => !isDisabled(owner)).map(({ id }) => id))
  return members
    .filter(({ ownerId }) => enabled.has(ownerId))
    .map(({ projectId, role, ownerId }) => ({ projectId, role, accountId: ownerId }))
}
