import type { Role } from '../../catalog/roles'
import type { Ports } from '../../ports/ports'
import type { ApiKey, ApiKeyType } from '../../project/api-key'
import { drawKeyValue } from '../../project/key-value'
import type { Project } from '../../project/project'
import { SECOND_MS } from '../../shared/time'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'

/** API key with its value. The value is returned only once: it is null in the answer to a repeated call. */
export interface MintedKey {
  /** The key as it is stored, without its value. */
  readonly key: ApiKey
  /** Value of the key, which a program sends as its credential; null in the answer to a repeated call. */
  readonly value: string | null
}

export interface NewKey {
  readonly type: ApiKeyType
  readonly name?: string | undefined
  readonly expiresInSeconds?: number | undefined
  /** Person who creates a server key, with the role that the key gets. */
  readonly minter?: { readonly mintedBy: string; readonly role: Role } | undefined
}

/** Adds a new key to a project. The default name of the key is derived from its type. */
export function putKey(
  ctx: Ports,
  draft: Draft,
  project: Project,
  { type, name, expiresInSeconds, minter }: NewKey,
): MintedKey {
  const value = drawKeyValue(type, (below) => ctx.random.int(below))
  const key = draft.create('api-key', {
    id: ctx.ids.next('key'),
    version: 1,
    projectId: project.id,
    accountId: project.accountId,
    type,
    name: name ?? `${type} key`,
    last4: value.slice(-4),
    hash: ctx.tokens.hash(value),
    createdAt: draft.at,
    revokedAt: null,
    ...(expiresInSeconds === undefined ? {} : { expiresAt: draft.at + expiresInSeconds * SECOND_MS }),
    ...(type === 'server' ? minter : {}),
  })
  draft.job(...followUps.keyMinted(key))
  return { key, value }
}

/** Returns the key without its value. The value must not be stored, not even for a repeated call. */
export const withoutValue = ({ key }: MintedKey): MintedKey => ({ key, value: null })

/** Revokes a key. A key that is already revoked is not changed. */
export function endKey(draft: Draft, key: ApiKey): void {
  if (key.revokedAt !== null) return
  draft.update('api-key', key, { ...key, revokedAt: draft.at })
  draft.tell({ type: 'api_key_revoked', keyId: key.id, projectId: key.projectId })
}
