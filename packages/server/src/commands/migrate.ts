import { defineCommand } from 'citty'
import { redacted } from '../config/database-url'
import { readStorageConfig } from '../config/serve-config'
import { inspectDatabase } from '../service/inspect-database'
import { print } from '../service/print'
import { storageOf } from '../service/storage-url'
import { tellFailure } from '../service/tell-failure'

/** Brings the schema up to date without starting the service; `serve` does the same when it starts. */
export const migrate = defineCommand({
  meta: { name: 'migrate', description: 'Bring the schema of DATABASE_URL up to date.' },
  run: () =>
    tellFailure(async () => {
      const { databaseUrl } = readStorageConfig(process.env)
      const before = await schemaOf(databaseUrl)
      const storage = await storageOf(databaseUrl)
      await storage.migrate()
      await storage.close()
      const after = await schemaOf(databaseUrl)
      await print(`${redacted(databaseUrl)}: ${stepOf(before, after)}\n`)
    }),
})

const stepOf = (before: number, after: number) =>
  before === after ? `schema ${after}, nothing to do` : `schema ${before} → ${after}`

/** Migrations that the database has seen. */
const schemaOf = async (databaseUrl: string) => (await inspectDatabase(databaseUrl))?.seen.schemaVersion ?? 0
