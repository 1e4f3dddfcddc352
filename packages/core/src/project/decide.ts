import { accept, type Decision, reject } from '../errors/decision'
import type { Instant } from '../shared/time'
import type { ApiKey } from './api-key'
import type { Project } from './project'
import { hasRoomForSecret, MAX_SECRETS } from './secret'

/** Whether a key has expired. */
export const isExpired = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Instant): boolean =>
  expiresAt !== undefined && expiresAt <= now

/** Rejects with KEY_REVOKED when the key was revoked before. */
export const mayRevoke = (key: ApiKey): Decision<never> =>
  key.revokedAt === null ? accept() : reject('KEY_REVOKED', `key ${key.id} is already revoked`)

/**
 * Rejects with INVALID_API_KEY when the key is revoked or has expired, its project is deleted, or its account is disabled. The check of the
 * project is needed, because the commit that deletes a project cannot revoke an unlimited number of keys.
 */
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

/** Rejects with SECRET_LIMIT when the project has its maximum number of secrets, and none of this name. */
export const mayAddSecret = (project: Project, name: string): Decision<never> =>
  hasRoomForSecret(project, name)
    ? accept()
    : reject('SECRET_LIMIT', `project ${project.id} already has ${MAX_SECRETS} secrets, the maximum; delete one first`)

/** Rejects with SECRET_NOT_FOUND. */
export const noSuchSecret = (projectId: string, name: string) =>
  reject('SECRET_NOT_FOUND', `project ${projectId} has no secret ${JSON.stringify(name)}`)
