import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { drawnOnce, installationIdOf, makePrivateFolder, writePrivately } from '../service/private-files'

const text = z.string().min(1)
const credentialsSchema = z
  .object({
    base_url: text,
    email: text,
    password: text,
    account_id: text,
    project_id: text,
    client_key: text,
    server_key: text,
  })
  .readonly()

/** Content of `credentials.json` (docs/http-api.md §9). */
export type Credentials = z.output<typeof credentialsSchema>

/** Small files that `dev` stores in the data folder; only their owner can read them. */
export interface LocalFiles {
  /** Secret that signs tokens and upload URLs; created at the first start and then kept. */
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
        return credentialsSchema.parse(JSON.parse(readFileSync(credentialsFile, 'utf8')))
      } catch {
        // A damaged file is treated like a missing file: the demo gets new keys and a new password.
        return undefined
      }
    },
    writeCredentials: (credentials) => writePrivately(credentialsFile, `${JSON.stringify(credentials, null, 2)}\n`),
  }
}
