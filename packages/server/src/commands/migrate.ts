import { resolve } from 'node:path'
import { acceptLostLog } from '@matchyard/storage-sqlite'
import { defineCommand } from 'citty'
import { ConfigurationError } from '../config/configuration-error'
import { isPostgresUrl, redacted, sqlitePathOf } from '../config/database-url'
import { readStorageConfig } from '../config/serve-config'
import { inspectDatabase } from '../service/inspect-database'
import { print } from '../service/print'
import { storageOf } from '../service/storage-url'
import { tellFailure } from '../service/tell-failure'

/** Updates the schema without starting the service. `serve` does the same at its start. */
export const migrate = defineCommand({
  meta: { name: 'migrate', description: 'Bring the schema of DATABASE_URL up to date.' },
  args: {
    'accept-lost-log': {
      type: 'boolean',
      description: 'Go on with a SQLite file whose write-ahead log is lost, without the commits that were in it',
      default: false,
    },
    print: {
      type: 'boolean',
      description: 'Print the SQL for a PostgreSQL administrator instead of running it',
      default: false,
    },
  },
  run: ({ args }) =>
    tellFailure(async () => {
      const { databaseUrl } = readStorageConfig(process.env)
      if (args['accept-lost-log']) acceptLostLog(fileOf(databaseUrl))
      const before = await schemaOf(databaseUrl)
      if (args.print) return await print(await scriptOf(databaseUrl, before))
      const storage = await storageOf(databaseUrl)
      await storage.migrate()
      await storage.close()
      const after = await schemaOf(databaseUrl)
      await print(`${redacted(databaseUrl)}: ${stepOf(before, after)}\n`)
    }),
})

function fileOf(databaseUrl: string): string {
  const path = sqlitePathOf(databaseUrl)
  if (path === undefined) throw new ConfigurationError('--accept-lost-log is for SQLite files')
  return resolve(path)
}

async function scriptOf(databaseUrl: string, seen: number): Promise<string> {
  if (!isPostgresUrl(databaseUrl)) throw new ConfigurationError('--print is for PostgreSQL')
  const { migrationScript } = await import('@matchyard/storage-postgres')
  return migrationScript({ seen, role: roleOf(databaseUrl) }) || '-- nothing to do\n'
}

/** Returns the role that the URL names; undefined when it names none. */
const roleOf = (databaseUrl: string) =>
  URL.canParse(databaseUrl) ? decodeURIComponent(new URL(databaseUrl).username) || undefined : undefined

const stepOf = (before: number, after: number) =>
  before === after ? `schema ${after}, nothing to do` : `schema ${before} → ${after}`

/** Returns the schema version of the database; 0 when the file does not exist or has no schema. */
const schemaOf = async (databaseUrl: string) => (await inspectDatabase(databaseUrl))?.seen.schemaVersion ?? 0
