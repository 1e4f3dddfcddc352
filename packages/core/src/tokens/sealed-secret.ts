import type { Tokens } from '../ports/tokens'
import { type Secret, secretId } from '../project/secret'

const PURPOSE = 'project-secret'

/**
 * Returns the encrypted value of a project's secret. The key belongs to the project and is derived from the installation's secret. The
 * encryption also binds the name, so a stored value cannot be moved to another secret.
 */
export const sealSecret = (tokens: Tokens, projectId: string, name: string, value: string): string =>
  tokens.seal(tokens.derive(PURPOSE, projectId), value, secretId(projectId, name))

/** Returns the value of a stored secret; undefined when the installation's secret was changed since the value was set. */
export const openSecret = (tokens: Tokens, { projectId, name, sealed }: Secret): string | undefined =>
  tokens.unseal(tokens.derive(PURPOSE, projectId), sealed, secretId(projectId, name))
