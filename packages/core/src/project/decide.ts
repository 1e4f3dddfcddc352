import { accept, type Decision, reject } from '../errors/decision'
import type { Instant } from '../shared/time'
import type { ApiKey } from './api-key'
import type { Project } from './project'

/** Whether a key's time is over. */
export const isExpired = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Instant): boolean =>
  expiresAt !== undefined && expiresAt <= now

/** A key is revoked once. */
export const mayRevoke = (key: ApiKey): Decision<never> =>
  key.revokedAt === null ? accept() : reject('KEY_REVOKED', `key ${key.id} was revoked before`)

/** Whether a key still stands for its project. A deleted project's keys are too many to be revoked in the commit that deletes it. */
export function keyHolds(
  key: ApiKey,
  project: Project | undefined,
  account: { readonly disabledAt?: Instant | null | undefined } | undefined,
  now: Instant,
): Decision<never> {
  if (key.revokedAt !== null) return invalidKey('the key was revoked; create another key')
  if (isExpired(key, now)) return invalidKey('the key has expired; create another key')
  if (project === undefined || project.deletedAt !== null) return invalidKey('its project was deleted')
  if ((account?.disabledAt ?? null) !== null) return invalidKey('its account is disabled')
  return accept()
}

export const invalidKey = (why: string) => reject('INVALID_API_KEY', `the API key is not valid: ${why}`)
