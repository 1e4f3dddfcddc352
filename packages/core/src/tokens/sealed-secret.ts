import type { Tokens } from '../ports/tokens'
import { type Secret, secretId } from '../project/secret'

const PURPOSE = 'project-secret'

/**
 * Returns the encrypted value of a project's secret. The key belongs to the project and is derived from the installation's secret. The
 * encryption also binds the name, so a stored value cannot be moved to another secret.
 */
export const sealSecret = (tokens: Tokens, projectId: string, name: string, value: string): string =>
  tokens.seal(tokens.derive(PURPOSE, projectId), value, secretId(projectId, name))

/** Returns the value of a stored secret; undefined when no accepted secret of the installation opens it. */
export function openSecret(tokens: Tokens, { projectId, name, sealed }: Secret): string | undefined {
  for (const key of tokens.deriveEach(PURPOSE, projectId)) {
    const value = tokens.unseal(key, sealed, secretId(projectId, name))
    if (value !== undefined) return value
  }
  return undefined
}

/** Whether the secret of the installation that is in force opens a stored secret. */
export const opensNow = (tokens: Tokens, { projectId, name, sealed }: Secret): boolean =>
  tokens.unseal(tokens.derive(PURPOSE, projectId), sealed, secretId(projectId, name)) !== undefined
