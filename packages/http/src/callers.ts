import type { AuditActor, Caller, Matchyard, OwnedBy } from '@matchyard/core'
import type { CallSource } from './options'

interface WithCaller {
  readonly caller: Caller | undefined
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
  const { keyId, projectId } = caller
  const { person } = caller as { readonly person?: string }
  return { kind: 'key', keyId, projectId, ...(person === undefined ? {} : { person }), address }
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

/** Returns the required owner of the resource: the key's project, or any project of the session's account. */
export function ownerOf(call: WithCaller): OwnedBy {
  return call.caller?.kind === 'session' ? { accountId: call.caller.accountId } : { projectId: keyOf(call).projectId }
}

/** Returns the game server that made the call. */
export function gameServerOf(call: WithCaller): { instanceId: string; attempt: number; projectId: string } {
  if (call.caller?.kind !== 'game-server') throw new Error('this operation takes game servers')
  const { instanceId, attempt, projectId } = call.caller
  return { instanceId, attempt, projectId }
}

/** Returns the machine whose agent made the call. */
export function machineOf(call: WithCaller): string {
  if (call.caller?.kind !== 'machine') throw new Error('this operation takes agents')
  return call.caller.machineId
}

/**
 * Resolves to the project in which a call lists or creates resources. An API key belongs to one project. A session
 * names the project with `project_id`, and its account must own that project (docs/http-api.md §4). Rejects with
 * `VALIDATION_FAILED` or `PROJECT_NOT_FOUND`.
 */
export function projectOf(
  call: WithCaller & { readonly matchyard: Matchyard; readonly query: { projectId?: string | undefined } },
): Promise<string> {
  if (call.caller === undefined) throw new Error('this operation needs a caller')
  return call.matchyard.access.resolveProject(call.caller, call.query.projectId)
}

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
