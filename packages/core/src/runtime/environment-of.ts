import { spokenCall, spokenField } from '../errors/spoken-names'
import type { LaunchSpec } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import { noSuchSecret } from '../project/decide'
import { type Secret, secretId } from '../project/secret'
import { type Environment, filledEnvironment, secretNamesIn, secretVariablesOf } from '../server/environment'
import { byteSize } from '../shared/json'
import { openSecret } from '../tokens/sealed-secret'

/**
 * Maximum bytes of all variables of one launch with the values of secrets, as JSON. The kernel allows 128 kB for one variable, and process
 * orchestrators read 128 kB of an environment to recognize their servers.
 */
const MAX_FILLED_ENVIRONMENT_BYTES = 32 * 1_024

/** Variables of a launch, with the values of their secrets. They are kept in memory only. */
export type LaunchEnvironment = Pick<LaunchSpec, 'environment' | 'secretVariables' | 'environmentKey'>

/** Reason for which a server cannot be launched. */
export interface LaunchRefused {
  readonly refused: string
}

/**
 * Returns the variables of a game server with the present values of their secrets. Only the node that launches the server calls this. Returns
 * the refusal when a secret does not exist or cannot be read; the refusal has the secret's name and never a value.
 */
export async function environmentOf(
  ctx: Ports,
  projectId: string,
  environment: Environment,
): Promise<LaunchEnvironment | LaunchRefused> {
  const names = secretNamesIn(environment)
  const stored = await storedSecrets(ctx, projectId, names)
  const values = new Map<string, string>()
  for (const name of names) {
    const secret = stored.get(name)
    const value = secret && openSecret(ctx.tokens, secret)
    if (value === undefined) return { refused: secret === undefined ? missing(projectId, name) : unreadable(name) }
    values.set(name, value)
  }
  const filled = filledEnvironment(environment, values)
  const bytes = byteSize(filled)
  if (bytes > MAX_FILLED_ENVIRONMENT_BYTES) return { refused: tooLarge(bytes) }
  const secretVariables = secretVariablesOf(environment)
  const environmentKey = JSON.stringify([environment, names.map((name) => stored.get(name)?.valueId)])
  return { environment: filled, environmentKey, ...(secretVariables.length === 0 ? {} : { secretVariables }) }
}

async function storedSecrets(ctx: Ports, projectId: string, names: string[]): Promise<ReadonlyMap<string, Secret>> {
  if (names.length === 0) return new Map()
  const ids = names.map((name) => secretId(projectId, name))
  return new Map((await ctx.storage.getMany('secret', ids)).map((secret) => [secret.name, secret]))
}

const missing = (projectId: string, name: string): string => {
  const { code, detail } = noSuchSecret(projectId, name).rejected
  return `${code}: ${detail}; set it with ${spokenCall('secrets.set')}, or remove it from ${spokenField('serverSettings.environment')}`
}

const unreadable = (name: string): string =>
  `the secret ${JSON.stringify(name)} cannot be read, because MATCHYARD_SECRET was changed after it was set and the previous one is not accepted; set it again with ${spokenCall('secrets.set')}`

const tooLarge = (bytes: number): string =>
  `the variables of the server have ${bytes} bytes with the values of their secrets; at most ${MAX_FILLED_ENVIRONMENT_BYTES} bytes are allowed`
