import { normaliseEmail, registrationIssues } from '../../account/credentials'
import { newAccount } from '../../account/new-account'
import { holdingExceeded } from '../../billing/limits'
import { MAX_GRANTS, MAX_MEMBERS } from '../../catalog/limits'
import { DEFAULT_PLAN } from '../../catalog/plans'
import type { Role } from '../../catalog/roles'
import type { CallOptions } from '../../commit/call-options'
import { grantCounter, memberCounter } from '../../commit/counters'
import { Draft } from '../../commit/draft'
import { endInvitations, putMember } from '../../commit/rows/member'
import { transact, unavailableInsteadOf } from '../../commit/transact'
import { ServiceError, validationFailed } from '../../errors/service-error'
import { noSuchInvitation } from '../../member/decide'
import { type Invitation, isInvitationToken, isOver } from '../../member/invitation'
import { joinedMember, memberId } from '../../member/member'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { type CommitConflict, uniqueKey } from '../../ports/storage/index'
import type { SessionClaims } from '../../ports/tokens'
import type { Project } from '../../project/project'
import { accountOf } from '../../reads/require'
import type { Instant } from '../../shared/time'
import { emailTaken } from './email-taken'
import { turnOf } from './hash-turn'
import { grantOf, hasEnded, openSession, type SessionGrant } from './session-grant'

/** Account that uses an invitation to a project. */
export interface JoinInput {
  /** Token of the invitation. */
  readonly token: string
  /** Account that joins. */
  readonly accountId: string
}

/** New account that uses an invitation to a project. */
export interface JoinAnewInput {
  /** Token of the invitation. */
  readonly token: string
  /** E-mail address with which the person logs in, at most 254 characters; case is ignored. */
  readonly email: string
  /** Password of 8 to 256 characters. */
  readonly password: string
  /** Name of 1 to 128 characters. */
  readonly name: string
  /** Whether the account is a guest, which cannot create projects of its own. Default: no. */
  readonly guest?: boolean | undefined
}

/** Rights that an account got by joining a project. */
export interface Joined {
  /** Project: `prj_` and a ULID. */
  readonly projectId: string
  /** Name of the project. */
  readonly projectName: string
  /** Account that joined: `acc_` and a ULID. */
  readonly accountId: string
  /** Rights of the account in the project. */
  readonly role: Role
  /** Time at which the account joined. */
  readonly joinedAt: Instant
}

/** New account that joined a project, with its session. */
export interface JoinedAnew extends Joined {
  /** Session of the new account. */
  readonly session: SessionGrant
}

export function join(ctx: Service, input: JoinInput, call?: CallOptions): Promise<Joined> {
  return transact(ctx, call, async () => {
    const account = await ctx.storage.get('account', input.accountId)
    const found = await openInvitation(ctx, input.token)
    if (account === undefined) throw ServiceError.of(noSuchInvitation().rejected)
    const { project, invitation } = found
    if (project.accountId === account.id) throw isIn('owner')
    const member = await ctx.storage.get('member', memberId(project.id, account.id))
    if (member !== undefined) throw isIn(member.role)
    const draft = new Draft(ctx.clock.now()).check('account', account)
    return { draft, answer: enter(draft, found, account.id), onConflict: full(ctx, project, invitation, account.id) }
  })
}

export async function joinAnew(ctx: Service, input: JoinAnewInput, call?: CallOptions): Promise<JoinedAnew> {
  const issues = registrationIssues(input)
  if (issues.length > 0) throw validationFailed(issues)
  const email = normaliseEmail(input.email)
  // Hashing is slow on purpose, so it runs once, and only for a valid invitation.
  let passwordHash: string | undefined
  const { claims, joined } = await transact<{ claims: SessionClaims; joined: Joined }>(ctx, call, async () => {
    const found = await openInvitation(ctx, input.token)
    if ((await ctx.storage.find('account', uniqueKey.email(email))) !== undefined) throw emailTaken(email)
    passwordHash ??= await ctx.passwords.hash(input.password, turnOf('registration', call))
    const draft = new Draft(ctx.clock.now())
    const id = ctx.ids.next('acc')
    const { name, guest } = input
    const account = newAccount({ id, email, name, passwordHash, plan: DEFAULT_PLAN, guest }, draft.at)
    const answer = {
      claims: openSession(ctx, draft, draft.create('account', account), call),
      joined: enter(draft, found, id),
    }
    const isFull = full(ctx, found.project, found.invitation, id)
    return {
      draft,
      answer,
      onConflict: (conflict) => (conflict.id === uniqueKey.email(email) ? emailTaken(email) : isFull(conflict)),
    }
  })
  return unavailableInsteadOf(async () => {
    // The account exists, but the session of the first call may have ended.
    if (call?.idempotency !== undefined && (await hasEnded(ctx, claims))) throw emailTaken(email)
    return { ...joined, session: await grantOf(ctx, claims) }
  })
}

interface Found {
  readonly invitation: Invitation
  readonly project: Project
}

/** Returns the invitation with this token and its project. Throws INVITATION_NOT_FOUND, without a read for a text that is no token. */
async function openInvitation(ctx: Ports, token: string): Promise<Found> {
  const invitation = isInvitationToken(token)
    ? await ctx.storage.find('invitation', uniqueKey.invitationToken(ctx.tokens.hash(token)))
    : undefined
  if (invitation === undefined || isOver(invitation, ctx.clock.now())) return refuse()
  const project = await ctx.storage.get('project', invitation.projectId)
  return project === undefined || project.deletedAt !== null ? refuse() : { invitation, project }
}

const refuse = (): never => {
  throw ServiceError.of(noSuchInvitation().rejected)
}

/** Adds the member and removes the invitation. */
function enter(draft: Draft, { invitation, project }: Found, accountId: string): Joined {
  const { id: projectId, accountId: ownerId } = project
  const { role } = invitation
  draft.check('project', project)
  endInvitations(draft, projectId, [invitation])
  putMember(draft, joinedMember({ projectId, accountId, ownerId, role }, draft.at))
  return { projectId, projectName: project.name, accountId, role, joinedAt: draft.at }
}

/** Returns the function that gives the error for a commit past a maximum; its result is undefined for other conflicts. */
const full =
  (ctx: Ports, project: Project, { projectId }: Invitation, accountId: string) =>
  async ({ on, id }: CommitConflict) => {
    if (on !== 'limit') return undefined
    const owner = await accountOf(ctx, project)
    if (id === memberCounter(projectId)) return exceeded(holdingExceeded(owner, 'max_members', MAX_MEMBERS, 'member'))
    return id === grantCounter(accountId)
      ? exceeded(holdingExceeded(owner, 'max_grants', MAX_GRANTS, 'membership'))
      : undefined
  }
const exceeded = ServiceError.of

const isIn = (role: Role) =>
  new ServiceError('CONFLICT', `the account already has the role ${role} in this project; the invitation stays valid`)
