import { type Caller, type CallOptions, validationFailed } from '@matchyard/core'
import { IDEMPOTENCY_KEY_LENGTH } from '@matchyard/core/domain'
import type { Exchange } from '../exchange/exchange'
import type { Operation } from '../operations'

const HEADER = 'idempotency-key'
/**
 * Header of the answer to a repeated call. `recorded`: the answer is that of the first call. `current`: the answer was
 * made from the current state.
 */
export const REPLAYED_HEADER = 'idempotency-replayed'

interface SentCall {
  readonly caller: Caller | undefined
  /** Body of the request, with its original field names. */
  readonly body: unknown
}

/** Returns the owner of an idempotency key. */
export type KeyOwner = (call: SentCall) => string

interface Keyed {
  readonly operation: Operation
  readonly method: string
  readonly rawBody?: unknown
  readonly isRepeatable?: true
  readonly keyOwner?: KeyOwner
}

/**
 * Whether calls of an operation may have an idempotency key. All changes may, except uploads, because an upload URL
 * accepts only one archive anyway, and calls that are repeatable without a key.
 */
export const takesIdempotencyKey = ({ method, rawBody, isRepeatable }: Omit<Keyed, 'operation'>): boolean =>
  method !== 'get' && rawBody === undefined && isRepeatable !== true

const utf8 = new TextEncoder()

/**
 * Resolves to the idempotency key of a change, within its owner, player and operation. A hash of the request detects
 * another body with the same key (docs/http-api.md §1). If the call is a repetition, a header is added to `headers`,
 * the headers of the answer. Rejects with `VALIDATION_FAILED`.
 */
export async function idempotencyOf(
  exchange: Exchange,
  endpoint: Keyed,
  call: SentCall & { readonly playerId: string | undefined },
  headers: Record<string, string>,
): Promise<CallOptions> {
  const { operation, keyOwner = ownerOf } = endpoint
  const key = exchange.header(HEADER)
  if (key === undefined || !takesIdempotencyKey(endpoint)) return NO_OPTIONS
  const { min, max } = IDEMPOTENCY_KEY_LENGTH
  if (key.length < min || key.length > max) {
    throw validationFailed([{ path: HEADER, message: `must be ${min} to ${max} characters long` }])
  }
  const { playerId, body } = call
  const [id, requestHash] = await Promise.all([
    sha256([keyOwner(call), playerId ?? null, operation, key]),
    // The idempotency key is part of the hash. Without it, an attacker who has the hash could find a body that can be
    // guessed (a password).
    sha256([key, exchange.method, exchange.path + exchange.search, body ?? {}]),
  ])
  return {
    idempotency: { id, requestHash, ...boundsOf(call.caller) },
    onReplay(from) {
      headers[REPLAYED_HEADER] = from
    },
  }
}

const NO_OPTIONS: CallOptions = {}

/**
 * Returns the owner of a key: the caller's credential. For a session it is the account, because idempotency keys must
 * stay valid when a session is refreshed.
 */
function ownerOf({ caller }: SentCall): string {
  if (caller === undefined)
    throw new Error('an operation without credentials must name the owner of its idempotency keys')
  if (caller.kind === 'session') return caller.accountId
  if (caller.kind === 'machine') return caller.machineId
  return caller.kind === 'game-server' ? `${caller.instanceId}/${caller.attempt}` : caller.keyId
}

/**
 * Returns the owner of the idempotency keys, and the group whose number of records is limited. All callers without a
 * credential are one owner.
 */
function boundsOf(caller: Caller | undefined): { readonly owner: string; readonly group?: string } {
  if (caller === undefined) return { owner: 'nobody' }
  if (caller.kind === 'session') return { owner: caller.accountId }
  if (caller.kind === 'machine') return { owner: caller.machineId }
  return { owner: caller.kind === 'game-server' ? caller.instanceId : caller.keyId, group: caller.projectId }
}

async function sha256(parts: readonly unknown[]): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', utf8.encode(JSON.stringify(parts)))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
