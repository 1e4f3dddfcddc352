import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type AdminClient, createAdmin } from '@matchyard/client/admin'
import { z } from 'zod'
import { ConfigurationError } from '../config/configuration-error'

/** Somebody sits before it: a service that is not there is told soon. */
const RETRY_FOR_MS = 5_000
const text = z.string().min(1)
const fileSchema = z.object({ base_url: text, client_key: text, server_key: text }).readonly()

/** Where a service is, and a project's keys to it, by the names that shells, the template and `builds upload` know them by. */
export type ServiceVariables = Readonly<
  Record<'MATCHYARD_URL' | 'MATCHYARD_CLIENT_KEY' | 'MATCHYARD_SERVER_KEY', string>
>

/** Reads what `dev` writes into its data folder, or what `accounts create --json` prints. Throws ConfigurationError with the path that was tried. */
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

/** A service that runs, wherever it does, with the server key of a project. */
export function runningService(environment: NodeJS.ProcessEnv): AdminClient {
  const { MATCHYARD_URL: baseUrl, MATCHYARD_SERVER_KEY: serverKey } = environment
  const missing = [!baseUrl && 'MATCHYARD_URL', !serverKey && 'MATCHYARD_SERVER_KEY'].filter((name) => name !== false)
  if (baseUrl && serverKey) return createAdmin({ baseUrl, serverKey, retryForMs: RETRY_FOR_MS, log: () => {} })
  throw new ConfigurationError(
    `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set: the address of the service, and a server key of the project. With a running \`matchyard dev\`: eval "$(matchyard env)"`,
  )
}
