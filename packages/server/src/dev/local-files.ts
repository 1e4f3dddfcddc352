import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawnOnce, installationIdOf, makePrivateFolder, writePrivately } from '../service/private-files'

/** What `credentials.json` holds (contract §9). */
export interface Credentials {
  readonly base_url: string
  readonly email: string
  readonly password: string
  readonly account_id: string
  readonly project_id: string
  readonly client_key: string
  readonly server_key: string
}

/** The small files beside the database, all readable by their owner alone. */
export interface LocalFiles {
  /** Signs tokens and upload URLs; drawn once. */
  readonly secret: string
  readonly installationId: string
  readCredentials(): Credentials | undefined
  writeCredentials(credentials: Credentials): void
}

export function localFiles(directory: string): LocalFiles {
  makePrivateFolder(directory)
  const credentialsFile = join(directory, 'credentials.json')
  return {
    secret: drawnOnce(join(directory, 'secret'), 32),
    installationId: installationIdOf(directory),
    readCredentials() {
      if (!existsSync(credentialsFile)) return undefined
      try {
        return JSON.parse(readFileSync(credentialsFile, 'utf8')) as Credentials
      } catch {
        return undefined
      }
    },
    writeCredentials: (credentials) => writePrivately(credentialsFile, `${JSON.stringify(credentials, null, 2)}\n`),
  }
}
