import type { Role } from '../catalog/roles'
import type { Caller } from './caller'

/**
 * Returns the role of a caller in the project of a thing: `owner` for the account that owns the project, and for a server key with all
 * rights. Undefined for a caller without a role there.
 */
export function roleIn(
  caller: Caller,
  thing: { readonly projectId: string; readonly accountId: string },
): Role | undefined {
  switch (caller.kind) {
    case 'session':
      if (caller.accountId === thing.accountId) return 'owner'
      return caller.grants.find(({ projectId }) => projectId === thing.projectId)?.role
    case 'server':
      return caller.projectId === thing.projectId ? (caller.role ?? 'owner') : undefined
    default:
      return undefined
  }
}
