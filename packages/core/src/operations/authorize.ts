import type { Caller } from '../access/caller'
import { requireRole } from '../access/role-allows'
import { ServiceError } from '../errors/service-error'
import { OPERATIONS, type Operation } from './index'

/**
 * Throws `CREDENTIAL_NOT_ALLOWED` when credentials of the caller's kind may not call the operation, and `ROLE_NOT_ALLOWED` when the role of a
 * server key is too low.
 */
export function authorize(operation: Operation, caller: Caller): void {
  const { credentials, role } = OPERATIONS[operation]
  if (credentials.length === 0) return
  if (credentials.includes(caller.kind)) {
    requireRole(caller, role)
    return
  }
  const takes = credentials.map((kind) => KIND_NAMES[kind]).join(' or ')
  throw new ServiceError('CREDENTIAL_NOT_ALLOWED', `this operation needs ${takes}, not ${KIND_NAMES[caller.kind]}`)
}

const KIND_NAMES: Readonly<Record<Caller['kind'], string>> = {
  client: 'a client key',
  server: 'a server key',
  session: 'a session token',
  'game-server': "a game server's token",
  machine: "a machine's token",
}
