import { ServiceError } from '@matchyard/core'
import type { Services } from '../services'

/** Refuses a call with a password where the operator turned passwords off. Throws CREDENTIAL_NOT_ALLOWED. */
export function requirePasswords({ hasPasswords }: Pick<Services, 'hasPasswords'>): void {
  if (hasPasswords) return
  throw new ServiceError(
    'CREDENTIAL_NOT_ALLOWED',
    'this service accepts no passwords; sign in to the console with the OpenID provider of the service',
  )
}
