import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type AdminClient, createAdmin } from '@matchyard/client/admin'
import { z } from 'zod'
import { ConfigurationError } from '../config/configuration-error'

/**
 * Milliseconds for which a call is retried. A person waits for the result of the command, so an unreachable service is
 * reported soon.
 */
const RETRY_FOR_MS = 5_000
const text = z.string().min(1)
const fileSchema = z.object({ base_url: text, client_key: text, server_key: text }).readonly()

/**
 * Address of a service and API keys of a project, named like the environment variables that shells, the project
 * template and `builds upload` use.
 */
export type ServiceVariables = Readonly<
  Record<'MATCHYARD_URL' | 'MATCHYARD_CLIENT_KEY' | 'MATCHYARD_SERVER_KEY', string>
>

/**
 * Reads the address and the keys from the file that `dev` writes into its data folder, or from the output of `accounts
 * create --json`. Throws ConfigurationError with the path of the file.
 */
export function readServiceFile(path: string): ServiceVariables {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const why = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read'
    throw new ConfigurationError(
      `${resolve(path)} ${why}; run this in the folder in which \`npm start\` or \`matchyard dev\` was run, set MATCHYARD_DATA to its data folder, or name the file: the credentials.json there, or what \`matchyard accounts create --json\` printed`,
    )
  }
  const { success, data } = fileSchema.safeParse(content)
  if (!success) throw new ConfigurationError(`${path} has no base_url, client_key and server_key`)
  return {
    MATCHYARD_URL: data.base_url,
    MATCHYARD_CLIENT_KEY: data.client_key,
    MATCHYARD_SERVER_KEY: data.server_key,
  }
}

/**
 * Returns a client of a running service, with the server key of a project. Throws ConfigurationError when a variable is
 * missing.
 */
export function runningService(environment: NodeJS.ProcessEnv): AdminClient {
  const { MATCHYARD_URL: baseUrl, MATCHYARD_SERVER_KEY: serverKey } = environment
  const missing = [!baseUrl && 'MATCHYARD_URL', !serverKey && 'MATCHYARD_SERVER_KEY'].filter((name) => name !== false)
  if (baseUrl && serverKey) return createAdmin({ baseUrl, serverKey, retryForMs: RETRY_FOR_MS, log: () => {} })
  throw new ConfigurationError(
    `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set: the address of the service, and a server key of the project. With a running \`matchyard dev\`: eval "$(matchyard env)"`,
  )
}
