import { z } from '@hono/zod-openapi'
import {
  type Joined,
  KEYS_AT_REMOVAL,
  type ListedInvitation,
  type ListedMember,
  type ListedMembers,
  type MadeInvitation,
  type Membership,
  ROLES,
} from '@matchyard/core'
import { INVITATION_TOKEN_LENGTH, MAX_EMAIL_TEXT, NAME_LENGTH, PASSWORD_LENGTH } from '@matchyard/core/domain'
import { session } from './account'
import {
  answerOf,
  bodyOf,
  extensionOf,
  given,
  instant,
  listOf,
  NAMES_OF,
  nullable,
  optional,
  plain,
  queryOf,
  required,
} from './codec/index'
import type { SessionGrant } from './core-types'
import { flag, nameText, oneOf, string, text } from './shared'

const role = oneOf(ROLES)
const email = plain(z.string().max(MAX_EMAIL_TEXT, `must be at most ${MAX_EMAIL_TEXT} characters long`))

export const newInvitation = bodyOf({
  role: required(role, 'Role that the account gets; nobody grants more than their own role.'),
  email: optional(email, 'E-mail address for which the invitation is meant, as text for lists; no mail is sent.'),
})

export const newRole = bodyOf({ role: required(role, 'New role; nobody grants more than their own role.') })

export const removal = queryOf({
  keys: optional(
    oneOf(KEYS_AT_REMOVAL),
    '`revoke`, the default: all server keys of the member are revoked. `hand_over`: those that do not expire become keys of the caller.',
  ),
})

export const acceptance = bodyOf({
  token: required(text(INVITATION_TOKEN_LENGTH), 'Token of the invitation: `inv_live_…`.'),
  email: optional(email, 'E-mail address of the new account; only without a session.'),
  password: optional(text(PASSWORD_LENGTH), 'Password of the new account; only without a session.'),
  name: optional(nameText(NAME_LENGTH), 'Display name of the new account; only without a session.'),
})

const invitationFields = {
  id: required(string, 'Id.'),
  projectId: required(string, 'Project of the invitation.'),
  role: required(role, 'Role that the account gets.'),
  email: required(nullable(string), 'E-mail address for which the invitation is meant; null without one.'),
  invitedBy: required(nullable(string), 'Account that made the invitation; null for a program of the operator.'),
  createdAt: required(instant, 'Time of creation.'),
  expiresAt: required(instant, 'Time from which the invitation is refused.'),
} as const

export const invitation = answerOf<ListedInvitation>(NAMES_OF.invitation)(
  invitationFields,
  'Invitation',
  'An invitation to a project.',
)

/** Codec of a new invitation. The answer contains the token unless the call was a repetition. */
export const madeInvitation = extensionOf(invitation, ({ invitation: of }: MadeInvitation) => of)(
  { token: given(string, 'Token for the invited person, shown only once and not in a replayed answer.') },
  'MadeInvitation',
  'An invitation, with its token.',
)

const member = answerOf<ListedMember>()(
  {
    accountId: required(string, 'Account of the person.'),
    name: required(string, 'Display name.'),
    email: required(string, 'E-mail address.'),
    role: required(role, 'Role in the project.'),
    ownsProject: required(flag, 'Whether the account owns the project and pays for it.'),
    joinedAt: required(instant, 'Time at which the account joined, or created the project.'),
  },
  'Member',
  'A person with rights in a project.',
)

export const members = answerOf<ListedMembers>()(
  {
    members: required(listOf(member), 'The account that owns the project, then its members.'),
    invitations: required(listOf(invitation), 'Invitations that can still be used.'),
  },
  'ProjectMembers',
  'The people of a project.',
)

export const membership = answerOf<Membership>()(
  {
    projectId: required(string, 'Project.'),
    accountId: required(string, 'Account of the member.'),
    role: required(role, 'Role in the project.'),
    joinedAt: required(instant, 'Time at which the account joined.'),
  },
  'Membership',
  'The rights of a member in a project.',
)

export const joined = answerOf<Joined & { readonly session?: SessionGrant }>()(
  {
    projectId: required(string, 'Project that the account joined.'),
    projectName: required(string, 'Display name of the project.'),
    accountId: required(string, 'Account that joined.'),
    role: required(role, 'Role in the project.'),
    joinedAt: required(instant, 'Time at which the account joined.'),
    session: given(session, 'Session of the new account; absent for an account that existed.'),
  },
  'Joined',
  'The membership that an invitation gave.',
)
