import { API_KEY_TYPES, type ApiKey, type ApiKeyType, type MintedKey } from '@matchyard/core'
import { shownText } from '@matchyard/core/domain'
import { ConfigurationError } from '../config/configuration-error'
import { print } from '../service/print'
import { standardError } from '../service/standard-streams'

export function chosenType(text: string): ApiKeyType {
  const type = API_KEY_TYPES.find((known) => known === text)
  if (type !== undefined) return type
  throw new ConfigurationError(`--type: ${JSON.stringify(text)} is not known; give client or server`)
}

/** Prints keys, one per line, or as JSON with the names of the API. The values of stored keys cannot be read. */
export function printKeys(keys: readonly ApiKey[], asJson: boolean): Promise<void> {
  const rows = keys.map(rowOf)
  const lines = rows.map(
    (row) =>
      `${row.key_id}  ${row.project_id}  ${row.type}  …${row.last4}  ${row.created_at}  ${standing(row)}  ${shownText(row.name)}\n`,
  )
  return print(asJson ? `${JSON.stringify(rows, null, 2)}\n` : lines.join(''))
}

/**
 * Prints a new key, whose value cannot be read later. Standard output gets only the value, for a pipe, or the whole key
 * as JSON.
 */
export async function printMinted({ key, value }: MintedKey, asJson: boolean): Promise<void> {
  if (asJson) return print(`${JSON.stringify({ ...rowOf(key), key: value }, null, 2)}\n`)
  standardError().write(`${key.id}, a ${key.type} key of ${key.projectId}; it cannot be shown again:\n`)
  await print(`${value}\n`)
}

const rowOf = (key: ApiKey) => ({
  key_id: key.id,
  project_id: key.projectId,
  type: key.type,
  name: key.name,
  last4: key.last4,
  created_at: new Date(key.createdAt).toISOString(),
  revoked_at: key.revokedAt === null ? null : new Date(key.revokedAt).toISOString(),
  expires_at: key.expiresAt === undefined ? null : new Date(key.expiresAt).toISOString(),
})

function standing({
  revoked_at,
  expires_at,
}: {
  readonly revoked_at: string | null
  readonly expires_at: string | null
}): string {
  if (revoked_at !== null) return 'revoked'
  if (expires_at === null) return 'active '
  return `until ${expires_at}`
}
