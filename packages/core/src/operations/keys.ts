import { listKeys } from '../use-cases/keys/list-keys'
import { mintKey } from '../use-cases/keys/mint-key'
import { revokeKey } from '../use-cases/keys/revoke-key'
import { SESSION } from './callers'
import { type CallsOf, operation } from './operation'

/** API keys of a project. */
export const keys = {
  /**
   * Creates a key of a project. Only this call returns the value of the key. A server key gets the role of the person who creates it, and is
   * revoked when that person is removed from the project. Every role may create server keys that expire; other server keys, and client keys that
   * expire, need the role `developer`, and other client keys the role `admin`. Rejects with `PLAN_LIMIT_EXCEEDED`, `VALIDATION_FAILED`,
   * `PROJECT_NOT_FOUND`, `ROLE_NOT_ALLOWED`.
   */
  mint: operation({
    callers: SESSION,
    role: 'viewer',
    fields: ['accountId', 'projectId', 'type', 'name?', 'expiresInSeconds?', 'personId?'],
    refusals: ['PROJECT_NOT_FOUND', 'ROLE_NOT_ALLOWED', 'PLAN_LIMIT_EXCEEDED'],
    audit: 'always',
    run: mintKey,
  }),

  /** Returns a page of a project's keys, without their values, revoked keys included. Rejects with `PROJECT_NOT_FOUND`. */
  list: operation({
    callers: SESSION,
    role: 'viewer',
    fields: ['accountId', 'projectId', 'limit?', 'offset?'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: listKeys,
  }),

  /**
   * Revokes a key. Requests that start after the call has resolved are refused on every node. Servers that a request with the key launched
   * continue. Members revoke their own keys; to revoke other keys needs the role `admin`. Rejects with `PROJECT_NOT_FOUND`, `KEY_NOT_FOUND`,
   * `KEY_REVOKED`, `ROLE_NOT_ALLOWED`.
   */
  revoke: operation({
    callers: SESSION,
    role: 'viewer',
    fields: ['accountId', 'projectId', 'keyId', 'personId?'],
    refusals: ['PROJECT_NOT_FOUND', 'KEY_NOT_FOUND', 'KEY_REVOKED', 'ROLE_NOT_ALLOWED'],
    audit: 'always',
    run: revokeKey,
  }),
}

/**
 * API keys of a project.
 *
 * @interface
 */
export type Keys = CallsOf<typeof keys>
