import { resolve } from 'node:path'
import { inspectSqlite } from '@matchyard/storage-sqlite'
import { defineCommand } from 'citty'
import { redacted, sqlitePathOf } from '../config/database-url'
import { readStorageConfig } from '../config/serve-config'
import { print } from '../service/print'
import { storageOf } from '../service/storage-url'
import { tellFailure } from '../service/tell-failure'

/** Brings the schema up to date without starting the service; `serve` does the same when it starts. */
export const migrate = defineCommand({
  meta: { name: 'migrate', description: 'Bring the schema of DATABASE_URL up to date.' },
  run: () =>
    tellFailure(async () => {
      const { databaseUrl } = readStorageConfig(process.env)
      const before = schemaOf(databaseUrl)
      const storage = await storageOf(databaseUrl)
      await storage.migrate()
      await storage.close()
      const after = schemaOf(databaseUrl)
      await print(`${redacted(databaseUrl)}: ${stepOf(before, after)}\n`)
    }),
})

function stepOf(before: number | undefined, after: number | undefined): string {
  if (after === undefined) return 'the schema is up to date'
  return before === after ? `schema ${after}, nothing to do` : `schema ${before ?? 0} → ${after}`
}

/** Of a SQLite file; other databases keep theirs to themselves. */
function schemaOf(databaseUrl: string): number | undefined {
  const path = sqlitePathOf(databaseUrl)
  return path === undefined ? undefined : inspectSqlite(resolve(path))?.schemaVersion
}
