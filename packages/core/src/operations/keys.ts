import { listKeys } from '../use-cases/keys/list-keys'
import { mintKey } from '../use-cases/keys/mint-key'
import { revokeKey } from '../use-cases/keys/revoke-key'
import { SESSION } from './callers'
import { type CallsOf, operation } from './operation'

/** API keys of a project. */
export const keys = {
  /**
   * Makes a key of a project; its value cannot be read again. Rejects with `PLAN_LIMIT_EXCEEDED`, `VALIDATION_FAILED`,
   * `PROJECT_NOT_FOUND`.
   */
  mint: operation({
    callers: SESSION,
    fields: ['accountId', 'projectId', 'type', 'name?', 'expiresInSeconds?'],
    refusals: ['PROJECT_NOT_FOUND', 'PLAN_LIMIT_EXCEEDED'],
    run: mintKey,
  }),

  /** A page of a project's keys, revoked ones too, without their values. Rejects with `PROJECT_NOT_FOUND`. */
  list: operation({
    callers: SESSION,
    fields: ['accountId', 'projectId', 'limit?', 'offset?'],
    refusals: ['PROJECT_NOT_FOUND'],
    run: listKeys,
  }),

  /**
   * Ends a key: a request that starts after the answer fails on every node; servers that the key started go on.
   * Rejects with `PROJECT_NOT_FOUND`, `KEY_NOT_FOUND`, `KEY_REVOKED`.
   */
  revoke: operation({
    callers: SESSION,
    fields: ['accountId', 'projectId', 'keyId'],
    refusals: ['PROJECT_NOT_FOUND', 'KEY_NOT_FOUND', 'KEY_REVOKED'],
    run: revokeKey,
  }),
}

/** API keys of a project. */
export type Keys = CallsOf<typeof keys>
