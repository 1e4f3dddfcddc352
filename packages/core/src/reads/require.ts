import { isOwner, type OwnedBy } from '../access/owner'
import type { Account } from '../account/account'
import { liveSession, type SessionVerdict } from '../account/decide'
import { type AccountWithin, accountAt } from '../billing/plan'
import { ServiceError } from '../errors/service-error'
import { spokenCall } from '../errors/spoken-names'
import { asSeenBy } from '../lobby/as-seen'
import type { Lobby } from '../lobby/lobby'
import type { Match } from '../match/match'
import type { Ports } from '../ports/ports'
import type { Project } from '../project/project'
import { type Queue, queueKey } from '../queue/queue'
import type { GameServer } from '../server/game-server'

/**
 * Returns the lobby to which a call applies. Throws LOBBY_NOT_FOUND. All functions in this file report a resource of another project or
 * account as not found, so that no caller can find out which ids exist.
 */
export async function requireLobby(ctx: Ports, projectId: string, lobbyId: string): Promise<Lobby> {
  const lobby = await ctx.storage.get('lobby', lobbyId)
  return lobby === undefined || lobby.projectId !== projectId ? noSuchLobby(lobbyId) : lobby
}

/**
 * Returns the current lobby with the fields that the given player may see. Without a player, returns the fields that a backend may see.
 * Throws LOBBY_NOT_FOUND.
 */
export async function lobbyNow(
  ctx: Ports,
  by: { readonly projectId: string; readonly playerId?: string | undefined },
  lobbyId: string,
): Promise<Lobby> {
  const { projectId, playerId } = by
  return asSeenBy(await requireLobby(ctx, projectId, lobbyId), { playerId, backend: playerId === undefined })
}

export function noSuchLobby(lobbyId: string): never {
  throw new ServiceError('LOBBY_NOT_FOUND', `there is no lobby ${JSON.stringify(lobbyId)}`)
}

export async function requireQueue(ctx: Ports, projectId: string, queueId: string): Promise<Queue> {
  return (await ctx.storage.get('queue', queueKey(projectId, queueId))) ?? noSuchQueue(projectId, queueId)
}

/**
 * Throws QUEUE_NOT_FOUND. The message contains the project, because most callers that get this error use a key of another project, or have
 * created no queue yet.
 */
export function noSuchQueue(projectId: string, queueId: string): never {
  const mend = `a backend lists its queues with ${spokenCall('queues.list')}, and creates one with ${spokenCall('queues.create')}`
  const detail = `project ${projectId} has no queue ${JSON.stringify(queueId)}; ${mend}`
  throw new ServiceError('QUEUE_NOT_FOUND', detail)
}

export async function requireServer(ctx: Ports, by: OwnedBy, instanceId: string): Promise<GameServer> {
  const server = await ctx.storage.get('server', instanceId)
  return server === undefined || !isOwner(by, server) ? noSuchServer(instanceId) : server
}

export function noSuchServer(instanceId: string): never {
  throw new ServiceError('SERVER_NOT_FOUND', `there is no server ${JSON.stringify(instanceId)}`)
}

export async function requireMatch(ctx: Ports, projectId: string, matchId: string): Promise<Match> {
  const match = await ctx.storage.get('match', matchId)
  return match === undefined || match.projectId !== projectId ? noSuchMatch(matchId) : match
}

export function noSuchMatch(matchId: string): never {
  throw new ServiceError('MATCH_NOT_FOUND', `there is no match ${JSON.stringify(matchId)}`)
}

/** Returns the project to which a call applies. Throws PROJECT_NOT_FOUND, also for a deleted project. */
export async function requireProject(ctx: Ports, projectId: string): Promise<Project> {
  const project = await ctx.storage.get('project', projectId)
  return project === undefined || project.deletedAt !== null ? noSuchProject(projectId) : project
}

export function noSuchProject(projectId: string): never {
  throw new ServiceError('PROJECT_NOT_FOUND', `there is no project ${JSON.stringify(projectId)}`)
}

/**
 * Returns a project of the account. Throws PROJECT_NOT_FOUND, also for a project of another account, so that nobody can find out which ids
 * exist.
 */
export async function requireOwnProject(
  ctx: Ports,
  { accountId, projectId }: { readonly accountId: string; readonly projectId: string },
): Promise<Project> {
  const project = await requireProject(ctx, projectId)
  return project.accountId === accountId ? project : noSuchProject(projectId)
}

/**
 * Returns the current account of a project or a caller. A pending change of the plan is applied if it is due, and the operator's limits are
 * added.
 */
export const accountOf = async (ctx: Ports, project: { readonly accountId: string }): Promise<AccountWithin> =>
  within(ctx, accountAt(await accountRow(ctx, project.accountId), ctx.clock.now()))

/** Adds the operator's limits to an account. The result must not be stored, because these limits are a setting of the installation. */
export const within = (ctx: Ports, account: Account): AccountWithin => ({
  ...account,
  operatorLimits: ctx.settings.operatorLimits,
})

/**
 * Returns whether a session is valid, and the session's account. The following commit must check the version of that account. Otherwise the
 * commit could miss a change by an operator.
 */
export async function sessionNow(
  ctx: Ports,
  sessionId: string,
): Promise<SessionVerdict & { readonly account?: Account }> {
  const session = await ctx.storage.get('session', sessionId)
  const account = session && (await ctx.storage.get('account', session.accountId))
  const verdict = liveSession(session, ctx.clock.now(), account)
  return account === undefined ? verdict : { ...verdict, account }
}

/**
 * Returns an account as it is stored, without the operator's limits. Throws an Error when the account does not exist, because that means a
 * bug.
 */
export async function accountRow(ctx: Ports, accountId: string): Promise<Account> {
  const account = await ctx.storage.get('account', accountId)
  if (account === undefined) throw new Error(`account ${accountId} is missing`)
  return account
}
