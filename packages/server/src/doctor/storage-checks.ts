import { resolve } from 'node:path'
import { inspectSqlite, type SqliteInspection } from '@matchyard/storage-sqlite'
import { redacted, sqlitePathOf } from '../config/database-url'
import { storageOf } from '../service/storage-url'
import { type Check, type Finding, fail, ok, oncePerPatient, type Patient, warn } from './check'

/** A clock that is this far behind what is stored was set back. */
const TOLERATED_MS = 60_000

/** What there is of the SQLite file; a finding instead where there is nothing to look at. */
const inspectionOf = oncePerPatient(({ config }): SqliteInspection | Finding => {
  const path = sqlitePathOf(config.databaseUrl)
  if (path === undefined) return ok('not a SQLite file; the database looks after this itself')
  return inspectSqlite(resolve(path)) ?? ok('there is no file yet; the service makes it when it starts')
})

const onFile = (look: (file: SqliteInspection) => Finding) => (patient: Patient) => {
  const seen = inspectionOf(patient)
  return 'damage' in seen ? look(seen) : seen
}

const storage: Check = {
  name: 'storage',
  mend: 'check DATABASE_URL, and that the database runs and may be reached from here',
  async look(patient) {
    const { databaseUrl } = patient.config
    if (sqlitePathOf(databaseUrl) !== undefined) {
      const seen = inspectionOf(patient)
      return 'damage' in seen ? ok(seen.holder ?? `${redacted(databaseUrl)} can be opened`) : seen
    }
    const opened = await storageOf(databaseUrl)
    try {
      await opened.ping()
      return ok(`${redacted(databaseUrl)} answers`)
    } finally {
      await opened.close()
    }
  },
}

const schema: Check = {
  name: 'schema',
  mend: 'matchyard migrate',
  look: onFile(({ schemaVersion, latestSchemaVersion }) => {
    if (schemaVersion === latestSchemaVersion) return ok(`schema ${schemaVersion}, the newest`)
    return warn(`schema ${schemaVersion} of ${latestSchemaVersion}; it is brought up to date at the next start`)
  }),
}

const integrity: Check = {
  name: 'integrity',
  mend: 'stop the service and restore the last backup (see matchyard backup)',
  look: onFile(({ damage }) =>
    damage.length === 0 ? ok('no page is damaged') : fail(`the file is damaged: ${damage[0]}`),
  ),
}

const storedTime: Check = {
  name: 'stored-time',
  mend: 'set the clock, and keep it set: sudo timedatectl set-ntp true',
  look: onFile(({ newestInstant }) => {
    const behindMs = newestInstant - Date.now()
    if (behindMs <= TOLERATED_MS) return ok('the clock is not behind what is stored')
    return warn(
      `the clock is ${Math.round(behindMs / 1000)} s behind the newest record; the service would go on from there`,
    )
  }),
}

export const STORAGE_CHECKS: readonly Check[] = [storage, schema, integrity, storedTime]
