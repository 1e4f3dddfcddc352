import { roleAllows } from '../access/role-allows'
import { MAX_KEYS_OF_MEMBER } from '../catalog/limits'
import type { Role } from '../catalog/roles'
import { accept, type Decision, reject } from '../errors/decision'
import type { ApiKeyType } from '../project/api-key'
import type { MemberEvent } from './events'
import type { Member, MemberKey } from './member'

/** Returns the least role that may give a role to a member, or take it from a member: nobody grants more than their own role. */
export const leastToManage = (role: Role): Role => (role === 'owner' ? 'owner' : 'admin')

/** Rejects with ROLE_NOT_ALLOWED when a caller may not give this role to a member, or take it from one. */
export const mayManage = (by: Role, role: Role): Decision<never> => roleAllows(by, leastToManage(role))

/**
 * Returns the least role that may create a key. A server key carries the role of its creator and ends with the creator's membership. A client
 * key carries no person and stays in the game, so a higher role must create it.
 */
export function leastToMint({ type, expires }: { readonly type: ApiKeyType; readonly expires: boolean }): Role {
  if (type === 'server') return expires ? 'viewer' : 'developer'
  return expires ? 'developer' : 'admin'
}

/** Decides about a new role of a member. The same role changes nothing. Rejects with ROLE_NOT_ALLOWED. */
export function decideSetRole(
  member: Member,
  { role, by }: { readonly role: Role; readonly by: Role },
): Decision<MemberEvent> {
  for (const verdict of [mayManage(by, member.role), mayManage(by, role)]) if (!verdict.ok) return verdict
  return role === member.role ? accept() : accept({ type: 'member_role_set', role })
}

/**
 * Adds server keys to a member. `live`: the keys of the member that are neither expired nor revoked. Rejects with PLAN_LIMIT_EXCEEDED past the
 * maximum.
 */
export function decideAddKeys(live: readonly MemberKey[], added: readonly MemberKey[]): Decision<MemberEvent> {
  if (live.length + added.length <= MAX_KEYS_OF_MEMBER)
    return accept({ type: 'member_keys_set', keys: [...live, ...added] })
  const detail = `a member holds at most ${MAX_KEYS_OF_MEMBER} valid server keys of a project; revoke one that is not needed`
  return reject('PLAN_LIMIT_EXCEEDED', detail, { limit: 'max_keys_of_member', allowed: MAX_KEYS_OF_MEMBER })
}

/** Rejects with MEMBER_NOT_FOUND. */
export const noSuchMember = (projectId: string, accountId: string) =>
  reject('MEMBER_NOT_FOUND', `project ${projectId} has no member ${JSON.stringify(accountId)}`)

/** Rejects with INVITATION_NOT_FOUND. One answer for all cases tells a stranger nothing about invitations. */
export const noSuchInvitation = () =>
  reject('INVITATION_NOT_FOUND', 'this invitation was used, cancelled, has expired, or was never made')
