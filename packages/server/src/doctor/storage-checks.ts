import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { machineOfText, servesAll } from '@matchyard/core/ports'
import type { PostgresInspection } from '@matchyard/storage-postgres'
import { redacted } from '../config/database-url'
import { CLOCK_MEND, clockDoubt, clockFault } from '../service/clock-faults'
import { type InspectedDatabase, inspectDatabase } from '../service/inspect-database'
import { LIMITS_POOL_SIZE } from '../service/shared-limits'
import { type Check, type Finding, fail, ok, oncePerPatient, type Patient, warn } from './check'

/** Number of database connections on which a process listens for changes by other nodes. */
const LISTENING = 1

/** Returns the result of inspecting the database, or a finding if the database file does not exist yet. */
const inspectionOf = oncePerPatient(async ({ config }): Promise<InspectedDatabase | Finding> => {
  const found = await inspectDatabase(config.databaseUrl)
  return found ?? ok('the file does not exist yet; the service makes it when it starts')
})

const onDatabase = (look: (database: InspectedDatabase, patient: Patient) => Finding) => async (patient: Patient) => {
  const database = await inspectionOf(patient)
  return 'seen' in database ? look(database, patient) : database
}

const storage: Check = {
  name: 'storage',
  mend: 'check DATABASE_URL, and that the database runs and may be reached from here',
  look: onDatabase(({ kind, seen }, { config }) => {
    const url = redacted(config.databaseUrl)
    if (kind === 'server') return ok(`${url} answers: PostgreSQL ${seen.serverVersion}`)
    return ok(seen.holder ?? `${url} can be opened`)
  }),
}

const schema: Check = {
  name: 'schema',
  mend: 'matchyard migrate',
  look: onDatabase(({ seen: { schemaVersion, latestSchemaVersion } }) => {
    if (schemaVersion === latestSchemaVersion) return ok(`schema ${schemaVersion}, the newest`)
    if (schemaVersion > latestSchemaVersion) {
      return ok(`schema ${schemaVersion}, of a newer version, which bears this one (it knows ${latestSchemaVersion})`)
    }
    return warn(`schema ${schemaVersion} of ${latestSchemaVersion}; it is brought up to date at the next start`)
  }),
}

/** Number of connections that PostgreSQL reserves for its administrator. */
const RESERVED = 3

const connections: Check = {
  name: 'connections',
  mend: 'raise max_connections of the database, or lower DATABASE_POOL_SIZE on each node',
  look: onDatabase(({ kind, seen }, { config }) => {
    if (kind === 'file') return ok('a file has no connections to run out of')
    const wanted = config.workers * (config.pool.poolSize + LISTENING + LIMITS_POOL_SIZE)
    const nodes = Math.floor((seen.maxConnections - RESERVED) / wanted)
    const by = config.workers === 1 ? '' : ` with ${config.workers} workers`
    const text = `a node like this${by} takes up to ${wanted} of ${seen.maxConnections} connections`
    return nodes === 0 ? fail(text) : ok(`${text}: room for ${nodes} of them`)
  }),
}

/** Returns the result of inspecting the database at the URL for signals; undefined if no such URL is set. */
const listeningOf = oncePerPatient(async ({ config: { pool } }) =>
  pool.listenUrl === undefined ? undefined : await inspectDatabase(pool.listenUrl),
)

const signals: Check = {
  name: 'signals',
  mend: 'set DATABASE_LISTEN_URL to the same database without a pooler, or to a pooler in session mode',
  async look(patient) {
    const database = await inspectionOf(patient)
    if (!('seen' in database) || database.kind === 'file') return ok('one process hears itself')
    const listening = await listeningOf(patient)
    if (listening === undefined && database.seen.isPooled)
      return fail(
        'DATABASE_URL leads to a pooler in transaction mode: nodes hear nothing of each other, and statements fail',
      )
    if (listening === undefined) return ok('a session on DATABASE_URL lasts, so nodes hear each other')
    if (listening.kind === 'file' || listening.seen.isPooled)
      return fail('DATABASE_LISTEN_URL leads to a pooler in transaction mode: nodes hear nothing of each other')
    if (listening.seen.identity !== database.seen.identity)
      return fail('DATABASE_LISTEN_URL and DATABASE_URL lead to two databases')
    if (!database.seen.isPooled)
      return warn(
        'DATABASE_LISTEN_URL is set, and DATABASE_URL leads to no pooler in transaction mode: without it statements are prepared',
      )
    return ok('statements go by a pooler in transaction mode, signals by a session of their own')
  },
}

const builds: Check = {
  name: 'builds',
  mend: 'make MATCHYARD_DATA/builds one folder of all nodes (NFS, for instance), or keep builds in a bucket (BUILD_STORE=s3)',
  look: onDatabase(({ kind, seen }, { config }) => {
    if (kind === 'file') return ok('there is one node, which has every archive')
    if (config.buildStore === 's3') return ok('builds are kept in a bucket')
    return newestArchiveSeen(seen.newestArchive, config.dataDirectory)
  }),
}

export function newestArchiveSeen(buildId: string | undefined, dataDirectory: string): Finding {
  if (buildId === undefined) return ok('there is no archive yet')
  const archive = join(dataDirectory, 'builds', `${buildId}.zip`)
  if (existsSync(archive)) return ok(`this node sees the newest archive (${buildId})`)
  return fail(`this node does not see the builds of the installation: ${archive} is not there`)
}

const regions: Check = {
  name: 'regions',
  mend: 'set REGIONS on each machine to the regions in which it stands',
  look: onDatabase(({ kind, seen }) => {
    if (kind === 'file') return ok('there is one machine, which runs servers of its REGIONS')
    return regionsSeen(seen.machines, seen.now)
  }),
}

/** Age of a report after which its machine counts as gone, in milliseconds. */
const GONE_AFTER_MS = 60_000

export function regionsSeen(machines: PostgresInspection['machines'], now: number): Finding {
  const live = machines
    .filter(({ at }) => now - at < GONE_AFTER_MS)
    .flatMap(({ report }) => machineOfText(report) ?? [])
  const all = [...new Set(live.filter(servesAll).map(({ id }) => id))]
  if (all.length < 2) return ok('no two machines run servers of every region')
  return warn(`${all.length} machines run servers of every region: ${all.slice(0, 5).join(', ')}`)
}

const integrity: Check = {
  name: 'integrity',
  mend: 'stop the service and restore the last backup (see matchyard backup)',
  look: onDatabase(({ kind, seen }) => {
    if (kind === 'server') return ok('not a SQLite file; the server looks after its own')
    return seen.damage.length === 0 ? ok('no page is damaged') : fail(`the file is damaged: ${seen.damage[0]}`)
  }),
}

const storedTime: Check = {
  name: 'stored-time',
  mend: CLOCK_MEND,
  look: onDatabase(({ kind, seen }) => {
    const clocks = { now: Date.now(), newest: seen.newestInstant, ...(kind === 'server' && { database: seen.now }) }
    const fault = clockFault(clocks)
    if (fault !== undefined) return fail(fault)
    const doubt = clockDoubt(clocks)
    return doubt === undefined ? ok('the clock fits what is stored') : warn(doubt)
  }),
}

export const STORAGE_CHECKS: readonly Check[] = [
  ...[storage, schema, connections, signals, builds, regions, integrity, storedTime],
]
