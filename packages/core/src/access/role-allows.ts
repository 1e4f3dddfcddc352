import { isAtLeast, type Role } from '../catalog/roles'
import { accept, type Decision, reject } from '../errors/decision'
import { orThrow } from '../errors/service-error'
import type { Caller } from './caller'

/** Rejects with ROLE_NOT_ALLOWED when a role is lower than the least role of a call. A call without a least role needs the role `owner`. */
export function roleAllows(role: Role, least: Role | null): Decision<never> {
  const needs = least ?? 'owner'
  if (isAtLeast(role, needs)) return accept()
  const more = needs === 'owner' ? '' : ' or a higher one'
  return reject('ROLE_NOT_ALLOWED', `the role ${role} does not allow this; it needs the role ${needs}${more}`, {
    role,
    needs,
  })
}

/** Throws ROLE_NOT_ALLOWED when the caller is a server key with a role that is lower than the least role of a call. */
export function requireRole(caller: Caller, least: Role | null): void {
  if (caller.kind === 'server' && caller.role !== undefined && least !== null) orThrow(roleAllows(caller.role, least))
}
