import { MAX_GRANTS, MAX_INVITATIONS, MAX_MEMBERS } from '../../catalog/limits'
import type { MemberEvent } from '../../member/events'
import { evolveMember } from '../../member/evolve'
import type { Invitation } from '../../member/invitation'
import type { Member } from '../../member/member'
import type { ApiKey } from '../../project/api-key'
import { grantCounter, invitationCounter, memberCounter } from '../counters'
import type { Draft } from '../draft'

/** Adds a member. The commit fails past the maximum number of members of the project, or of grants of the account. */
export function putMember(draft: Draft, member: Member): Member {
  draft.counter(memberCounter(member.projectId), 1, MAX_MEMBERS).counter(grantCounter(member.accountId), 1, MAX_GRANTS)
  return draft.create('member', member)
}

/** Applies events to a member. Returns the next state. */
export function writeMember(draft: Draft, before: Member, events: readonly MemberEvent[]): Member {
  const after = evolveMember(before, events, draft.at)
  return after === before ? before : draft.replace('member', before, after)
}

/** Removes a member. Its keys and invitations are changed by the caller, in the same commit. */
export function endMember(draft: Draft, member: Member): void {
  draft.remove('member', member)
  draft.counter(memberCounter(member.projectId), -1).counter(grantCounter(member.accountId), -1)
}

/** Adds an invitation, and removes expired ones. The commit fails past the maximum number of invitations of the project. */
export function putInvitation(draft: Draft, invitation: Invitation, expired: readonly Invitation[]): Invitation {
  for (const old of expired) draft.remove('invitation', old)
  draft.counter(invitationCounter(invitation.projectId), 1 - expired.length, MAX_INVITATIONS)
  return draft.create('invitation', invitation)
}

/** Removes invitations of one project: they were used or cancelled, or their maker lost the right to make them. */
export function endInvitations(draft: Draft, projectId: string, invitations: readonly Invitation[]): void {
  for (const invitation of invitations) draft.remove('invitation', invitation)
  if (invitations.length > 0) draft.counter(invitationCounter(projectId), -invitations.length)
}

/** Gives a key another person or another role. */
export function handKey(draft: Draft, key: ApiKey, to: Required<Pick<ApiKey, 'mintedBy' | 'role'>>): void {
  if (key.mintedBy === to.mintedBy && key.role === to.role) return
  draft.update('api-key', key, { ...key, ...to })
}
