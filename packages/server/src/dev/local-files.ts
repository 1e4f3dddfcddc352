import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const credentialsFile = join(directory, 'credentials.json')
  return {
    secret: drawnOnce(join(directory, 'secret'), 32),
    installationId: drawnOnce(join(directory, 'installation'), 8),
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

function drawnOnce(file: string, bytes: number): string {
  if (!existsSync(file)) writePrivately(file, randomBytes(bytes).toString('hex'))
  return readFileSync(file, 'utf8').trim()
}

/** In one step, so that a crash leaves the file as it was or as it is to be. */
function writePrivately(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`
  writeFileSync(draft, text, { mode: 0o600 })
  renameSync(draft, file)
}
