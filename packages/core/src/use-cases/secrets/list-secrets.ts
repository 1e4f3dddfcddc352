import { unavailableInsteadOf } from '../../commit/transact'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { type SecretEntry, secretsOf } from '../../project/secret'
import { requireProject } from '../../reads/require'

/** Returns the names and times of a project's secrets, by name. No call returns a value. */
export const listSecrets = (ctx: Ports, { projectId }: InProject): Promise<readonly SecretEntry[]> =>
  unavailableInsteadOf(async () => secretsOf(await requireProject(ctx, projectId)))
