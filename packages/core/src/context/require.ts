import type { Account } from '../account/account'
import { accountAt } from '../billing/plan'
import { ServiceError } from '../errors/service-error'
import type { Lobby } from '../lobby/lobby'
import type { Match } from '../match/match'
import type { Project } from '../project/project'
import { type Queue, queueKey } from '../queue/queue'
import type { GameServer } from '../server/game-server'
import type { Context } from './context'
import { isOwner, type OwnedBy } from './inputs'

/** The addressed thing or its not-found error. What another project or account owns reads as not found, here and nowhere else. */
export async function requireLobby(ctx: Context, projectId: string, lobbyId: string): Promise<Lobby> {
  const lobby = await ctx.storage.get('lobby', lobbyId)
  if (lobby === undefined || lobby.projectId !== projectId) {
    throw new ServiceError('LOBBY_NOT_FOUND', `there is no lobby ${JSON.stringify(lobbyId)}`)
  }
  return lobby
}

export async function requireQueue(ctx: Context, projectId: string, queueId: string): Promise<Queue> {
  const queue = await ctx.storage.get('queue', queueKey(projectId, queueId))
  if (queue === undefined) throw new ServiceError('QUEUE_NOT_FOUND', `there is no queue ${JSON.stringify(queueId)}`)
  return queue
}

export async function requireServer(ctx: Context, by: OwnedBy, instanceId: string): Promise<GameServer> {
  const server = await ctx.storage.get('server', instanceId)
  if (server === undefined || !isOwner(by, server)) {
    throw new ServiceError('SERVER_NOT_FOUND', `there is no server ${JSON.stringify(instanceId)}`)
  }
  return server
}

export async function requireMatch(ctx: Context, projectId: string, matchId: string): Promise<Match> {
  const match = await ctx.storage.get('match', matchId)
  if (match === undefined || match.projectId !== projectId) {
    throw new ServiceError('MATCH_NOT_FOUND', `there is no match ${JSON.stringify(matchId)}`)
  }
  return match
}

/** The project that a key or a session names, unless it is deleted. */
export async function requireProject(ctx: Context, projectId: string): Promise<Project> {
  const project = await ctx.storage.get('project', projectId)
  if (project === undefined || project.deletedAt !== null) {
    throw new ServiceError('PROJECT_NOT_FOUND', `there is no project ${JSON.stringify(projectId)}`)
  }
  return project
}

/** The account of a project or caller as it stands now, a due plan change included; one that is missing is a bug. */
export async function accountOf(ctx: Context, project: { readonly accountId: string }): Promise<Account> {
  const account = await ctx.storage.get('account', project.accountId)
  if (account === undefined) throw new Error(`account ${project.accountId} is missing`)
  return accountAt(account, ctx.clock.now())
}
