import { type Endpoint, endpoint } from '../endpoint'
import { madeInvitation, members, membership, newInvitation, newRole, removal } from '../wire/member'
import { created, NO_CONTENT, ok } from './answers'

const list = endpoint({
  operation: 'members.list',
  method: 'get',
  path: '/v1/projects/{project_id}/members',
  summary: 'Lists the members of a project, and its open invitations without their tokens.',
  success: ok(members),
})

const invite = endpoint({
  operation: 'members.invite',
  method: 'post',
  path: '/v1/projects/{project_id}/members',
  summary: 'Invites a person to a project; the token works once, for 7 days, and is shown only once.',
  body: newInvitation,
  success: created(madeInvitation),
})

const setRole = endpoint({
  operation: 'members.setRole',
  method: 'patch',
  path: '/v1/projects/{project_id}/members/{account_id}',
  summary: 'Sets the role of a member, and of the server keys that the member created.',
  body: newRole,
  success: ok(membership),
})

const remove = endpoint({
  operation: 'members.remove',
  method: 'delete',
  path: '/v1/projects/{project_id}/members/{account_id}',
  summary: 'Removes a member; its sessions, server keys and streams lose the project at once.',
  query: removal,
  success: NO_CONTENT,
})

const cancelInvitation = endpoint({
  operation: 'members.cancelInvitation',
  method: 'delete',
  path: '/v1/projects/{project_id}/invitations/{invitation_id}',
  summary: 'Cancels an invitation.',
  success: NO_CONTENT,
})

export const MEMBER_ENDPOINTS: readonly Endpoint[] = [list, invite, setRole, remove, cancelInvitation]
