import { listKeys } from '../use-cases/keys/list-keys'
import { mintKey } from '../use-cases/keys/mint-key'
import { revokeKey } from '../use-cases/keys/revoke-key'
import { SESSION } from './callers'
import { type CallsOf, operation } from './operation'

/** API keys of a project. */
export const keys = {
  /**
   * Creates a key of a project. Only this call returns the value of the key. Rejects with `PLAN_LIMIT_EXCEEDED`, `VALIDATION_FAILED`,
   * `PROJECT_NOT_FOUND`.
   */
  mint: operation({
    callers: SESSION,
    fields: ['accountId', 'projectId', 'type', 'name?', 'expiresInSeconds?'],
    refusals: ['PROJECT_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED'],
    audit: 'always',
    run: mintKey,
  }),

  /** Returns a page of a project's keys, without their values, revoked keys included. Rejects with `PROJECT_NOT_FOUND`. */
  list: operation({
    callers: SESSION,
    fields: ['accountId', 'projectId', 'limit?', 'offset?'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: listKeys,
  }),

  /**
   * Revokes a key. Requests that start after the call has resolved are refused on every node. Servers that a request with the key launched
   * continue. Rejects with `PROJECT_NOT_FOUND`, `KEY_NOT_FOUND`, `KEY_REVOKED`.
   */
  revoke: operation({
    callers: SESSION,
    fields: ['accountId', 'projectId', 'keyId'],
    refusals: ['PROJECT_NOT_FOUND', 'KEY_NOT_FOUND', 'KEY_REVOKED'],
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
