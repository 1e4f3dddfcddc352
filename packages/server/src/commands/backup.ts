import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { backupSqlite, inspectSqlite } from '@matchyard/storage-sqlite'
import { defineCommand } from 'citty'
import { ConfigurationError } from '../config/configuration-error'
import { sqlitePathOf } from '../config/database-url'
import { readStorageConfig, type StorageConfig } from '../config/serve-config'
import { print } from '../service/print'
import { makePrivateFolder } from '../service/private-files'
import { tellFailure } from '../service/tell-failure'

/** Copies the SQLite file, in the state of one instant, also while the service runs. */
export const backup = defineCommand({
  meta: { name: 'backup', description: 'Copy the SQLite file of a running or stopped service.' },
  args: {
    to: { type: 'string', description: 'The file to write', required: true },
    force: { type: 'boolean', description: 'Overwrite it', default: false },
  },
  run: ({ args }) =>
    tellFailure(async () => {
      const config = readStorageConfig(process.env)
      const source = sourceOf(config)
      const target = resolve(args.to)
      if (existsSync(target) && !args.force) {
        throw new ConfigurationError(`${target} exists; give another name with --to, or --force to overwrite it`)
      }
      await copy(source, target)
      await print(restoreNote({ ...config, source, target }))
    }),
})

function sourceOf({ databaseUrl }: StorageConfig): string {
  const path = sqlitePathOf(databaseUrl)
  if (path === undefined) throw new ConfigurationError('backup copies SQLite files; back PostgreSQL up with pg_dump')
  const source = resolve(path)
  if (!existsSync(source)) throw new ConfigurationError(`${source} does not exist; name the database with DATABASE_URL`)
  return source
}

/**
 * Writes the copy under a temporary name first. An incomplete backup must not look complete, and must not replace a
 * complete one.
 */
async function copy(source: string, target: string): Promise<void> {
  const draft = `${target}.partial`
  makePrivateFolder(dirname(target))
  try {
    await backupSqlite(source, draft)
    const damage = inspectSqlite(draft)?.damage ?? ['it is not there']
    if (damage.length > 0) throw new ConfigurationError(`the copy is damaged: ${damage[0]}`)
    // The copy holds password hashes and e-mail addresses.
    chmodSync(draft, 0o600)
    renameSync(draft, target)
  } finally {
    for (const rest of [draft, `${draft}-wal`, `${draft}-shm`]) rmSync(rest, { force: true })
  }
}

const restoreNote = ({ source, target, dataDirectory }: StorageConfig & { source: string; target: string }) =>
  `${target}: ${statSync(target).size} bytes, checked

To restore it: stop the service, then
  rm -f '${source}-wal' '${source}-shm' && cp '${target}' '${source}'
and start it with the same MATCHYARD_SECRET. Uploaded builds are not in it: keep ${dataDirectory}/builds as well.
`
