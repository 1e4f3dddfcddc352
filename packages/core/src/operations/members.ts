import { join, joinAnew } from '../use-cases/accounts/join'
import { cancelInvitation } from '../use-cases/members/cancel-invitation'
import { invite } from '../use-cases/members/invite'
import { listMembers } from '../use-cases/members/list-members'
import { removeMember } from '../use-cases/members/remove-member'
import { setRole } from '../use-cases/members/set-role'
import { EVERYBODY, SESSION } from './callers'
import { type CallsOf, embedded, operation } from './operation'

/**
 * Members of a project: accounts with a role in a project of another account. A call with a `personId` has the rights of that person; without
 * one, the embedding application makes the call with all rights.
 */
export const members = {
  /** Returns the members of a project, and its invitations that can still be used. Rejects with `PROJECT_NOT_FOUND`. */
  list: operation({
    callers: SESSION,
    role: 'viewer',
    fields: ['accountId', 'projectId', 'personId?'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: listMembers,
  }),

  /**
   * Makes an invitation, which works once, for 7 days. Only this call returns the token. It needs the role `admin`, and for the role `owner` the role
   * `owner`. Rejects with `PROJECT_NOT_FOUND`, `ROLE_NOT_ALLOWED`, `PLAN_LIMIT_EXCEEDED`, `VALIDATION_FAILED`.
   */
  invite: operation({
    callers: SESSION,
    role: 'admin',
    fields: ['accountId', 'projectId', 'role', 'email?', 'personId?'],
    refusals: ['PROJECT_NOT_FOUND', 'ROLE_NOT_ALLOWED', 'PLAN_LIMIT_EXCEEDED'],
    audit: 'always',
    run: invite,
  }),

  /**
   * Uses an invitation for an account that exists. Rejects with `INVITATION_NOT_FOUND`, `PLAN_LIMIT_EXCEEDED`. Rejects with `CONFLICT` when the
   * account is a member already, or owns the project.
   */
  join: operation({
    name: 'auth.join',
    callers: EVERYBODY,
    fields: ['token', 'accountId'],
    refusals: ['INVITATION_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED'],
    audit: 'always',
    run: join,
  }),

  /**
   * Uses an invitation for a new account, also when registration is closed, and logs the account in. Rejects with `INVITATION_NOT_FOUND`,
   * `EMAIL_TAKEN`, `PLAN_LIMIT_EXCEEDED`, `VALIDATION_FAILED`.
   */
  joinAnew: embedded({
    fields: ['token', 'email', 'password', 'name', 'guest?'],
    run: joinAnew,
  }),

  /**
   * Sets the role of a member, and of the valid server keys that the member created. It needs the role `admin`, and the role `owner` for a member
   * that is or becomes `owner`. Rejects with `PROJECT_NOT_FOUND`, `MEMBER_NOT_FOUND`, `ROLE_NOT_ALLOWED`, `VALIDATION_FAILED`.
   */
  setRole: operation({
    callers: SESSION,
    role: 'admin',
    fields: ['accountId', 'projectId', 'memberAccountId', 'role', 'personId?'],
    refusals: ['PROJECT_NOT_FOUND', 'MEMBER_NOT_FOUND', 'ROLE_NOT_ALLOWED'],
    audit: 'always',
    run: setRole,
  }),

  /**
   * Removes a member. Calls and streams of the member, and of the server keys that the member created, are refused or end on every node once the
   * call has resolved. Client keys stay. A member may remove itself; to remove another one needs the role `admin`, and for an owner the role
   * `owner`. Rejects with `PROJECT_NOT_FOUND`, `MEMBER_NOT_FOUND`, `ROLE_NOT_ALLOWED`, `PLAN_LIMIT_EXCEEDED`, `VALIDATION_FAILED`.
   */
  remove: operation({
    callers: SESSION,
    role: 'viewer',
    fields: ['accountId', 'projectId', 'memberAccountId', 'keys?', 'personId?'],
    refusals: ['PROJECT_NOT_FOUND', 'MEMBER_NOT_FOUND', 'ROLE_NOT_ALLOWED', 'PLAN_LIMIT_EXCEEDED'],
    audit: 'always',
    run: removeMember,
  }),

  /**
   * Cancels an invitation. Rejects with `PROJECT_NOT_FOUND`, `INVITATION_NOT_FOUND`, and with `ROLE_NOT_ALLOWED` for an invitation to a role that
   * the caller may not grant.
   */
  cancelInvitation: operation({
    callers: SESSION,
    role: 'admin',
    fields: ['accountId', 'projectId', 'invitationId', 'personId?'],
    refusals: ['PROJECT_NOT_FOUND', 'INVITATION_NOT_FOUND', 'ROLE_NOT_ALLOWED'],
    audit: 'always',
    run: cancelInvitation,
  }),
}

/**
 * Members of a project: accounts with a role in a project of another account.
 *
 * @interface
 */
export type Members = CallsOf<typeof members>
