import type { AuditActor, Caller, Operation as CoreOperation, Matchyard, OwnedBy } from '@matchyard/core'
import type { Operation } from './operations'
import type { CallSource } from './options'

interface WithCaller {
  readonly caller: Caller | undefined
}

interface OnService {
  readonly matchyard: Matchyard
  readonly operation: Operation
}

/** Returns the API key of the caller. The permission table has refused all other credentials. */
export function keyOf(call: WithCaller): {
  projectId: string
  backend: boolean
  keyId: string
  accountId: string
  isForATime: boolean
} {
  const { caller } = call
  if (caller?.kind !== 'client' && caller?.kind !== 'server') throw new Error('this operation takes API keys')
  const { projectId, keyId, accountId, expiresAt } = caller
  return { projectId, backend: caller.kind === 'server', keyId, accountId, isForATime: expiresAt !== undefined }
}

/** Returns the caller in the form in which a change names its author: the key, or the account of the session. */
export const authorOf = (call: WithCaller): { kind: 'key' | 'session'; id: string } =>
  call.caller?.kind === 'session' ? bySession(call.caller.accountId) : { kind: 'key', id: keyOf(call).keyId }
const bySession = (id: string) => ({ kind: 'session', id }) as const

/**
 * Returns the author of a change for the audit log: the session, or the server key with the person for whom it was
 * created. Undefined for callers whose changes are the traffic of a game.
 */
export function auditActorOf(caller: Caller | undefined, address: string): AuditActor | undefined {
  if (caller?.kind === 'session') {
    const { accountId, sessionId } = caller
    return { kind: 'session', accountId, sessionId, address }
  }
  if (caller?.kind !== 'server') return undefined
  const { keyId, projectId, person, expiresAt } = caller
  // A key that does not expire belongs to a backend, whose calls are traffic of the game.
  const isOfPerson = person !== undefined && expiresAt !== undefined
  return { kind: 'key', keyId, projectId, ...(isOfPerson ? { person } : {}), address }
}

/** Returns the project and the acting player of a player's action. */
export function playerOf(call: WithCaller & { readonly playerId: string | undefined }): {
  projectId: string
  playerId: string
} {
  if (call.playerId === undefined) throw new Error('this operation requires a player')
  return { projectId: keyOf(call).projectId, playerId: call.playerId }
}

/** Returns the account and the session of the caller. */
export function sessionOf(call: WithCaller): { accountId: string; sessionId: string } {
  if (call.caller?.kind !== 'session') throw new Error('this operation takes sessions')
  return { accountId: call.caller.accountId, sessionId: call.caller.sessionId }
}

/**
 * Returns the required owner of the resource: the key's project, or any project in which the session's account has the
 * role that the call needs.
 */
export const ownerOf = (call: WithCaller & OnService): OwnedBy =>
  call.matchyard.access.ownerOf(ofCore(call.operation), callerOf(call))

/**
 * Returns the account with which a session addresses the project in the path: the owner of the project, if the
 * session's account is a member with the role that the call needs. Throws `ROLE_NOT_ALLOWED`.
 */
export function accountOn(call: WithCaller & OnService, projectId: string): string {
  const { caller } = call
  if (caller?.kind !== 'session') throw new Error('this operation takes sessions')
  return call.matchyard.access.accountOn(ofCore(call.operation), caller, projectId)
}

/** Returns the game server that made the call. */
export function gameServerOf(call: WithCaller): { instanceId: string; attempt: number; projectId: string } {
  if (call.caller?.kind !== 'game-server') throw new Error('this operation takes game servers')
  const { instanceId, attempt, projectId } = call.caller
  return { instanceId, attempt, projectId }
}

/** Returns the machine whose agent made the call, and the SHA-256 of the token that the agent sent. */
export function agentOf(call: WithCaller): { machineId: string; tokenHash: string } {
  if (call.caller?.kind !== 'machine') throw new Error('this operation takes agents')
  const { machineId, tokenHash } = call.caller
  return { machineId, tokenHash }
}

/** Returns the machine whose agent made the call. */
export const machineOf = (call: WithCaller): string => agentOf(call).machineId

/**
 * Resolves to the project in which a call lists or creates resources. An API key belongs to one project. A session
 * names the project with `project_id`, and its account must own that project, or have the role that the call needs
 * (docs/http-api.md §4). Rejects with `VALIDATION_FAILED`, `PROJECT_NOT_FOUND` or `ROLE_NOT_ALLOWED`.
 */
export function projectOf(
  call: WithCaller & OnService & { readonly query: { projectId?: string | undefined } },
): Promise<string> {
  return call.matchyard.access.resolveProject(ofCore(call.operation), callerOf(call), call.query.projectId)
}

function callerOf({ caller }: WithCaller): Caller {
  if (caller === undefined) throw new Error('this operation needs a caller')
  return caller
}

/** Returns the name of an operation of the core. Operations that only HTTP has are about no project. */
const ofCore = (operation: Operation) => operation as CoreOperation

/** Returns the origin of a call, for logs and metrics. */
export function sourceOf(caller: Caller | undefined, address: string): CallSource {
  if (caller === undefined) return { address }
  if (caller.kind === 'session') return { address, accountId: caller.accountId }
  if (caller.kind === 'machine') return { address, machineId: caller.machineId }
  const { projectId } = caller
  return caller.kind === 'game-server'
    ? { address, projectId, instanceId: caller.instanceId }
    : { address, projectId, keyId: caller.keyId }
}
