import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { createMatchyard, type Matchyard, type PlanLimits } from '@matchyard/core'
import { SILENT_LOGGER, type Storage, uniqueKey } from '@matchyard/core/ports'
import { type NodePlatformOptions, nodePlatform } from '@matchyard/node'
import { ConfigurationError } from '../config/configuration-error'
import { isPostgresUrl, redacted, sqlitePathOf } from '../config/database-url'
import { checkClock } from '../service/check-clock'
import { databaseNow, inspectDatabase } from '../service/inspect-database'
import { storageOf } from '../service/storage-url'

export interface OperatorsDesk {
  readonly storage: Storage
  /** Embedded service for short calls; its worker does not run. */
  readonly matchyard: Matchyard
}

export interface StorageOfWork {
  readonly databaseUrl: string
  readonly operatorLimits?: Partial<PlanLimits>
  /** Milliseconds without a report after which a machine is shown as lost. */
  readonly nodeLostAfterMs?: number
  /** Secrets of the installation. Default: a random secret, because neither API keys nor passwords are hashed with it. */
  readonly secrets?: Pick<NodePlatformOptions, 'secret' | 'previousSecret'>
  /** Whether the work only reads, so that a wrong clock does no harm. */
  readonly readsOnly?: boolean
}

/**
 * Runs an operator's short work on a database. A service may use the database at the same time. Throws
 * ConfigurationError for faults, and when the work writes while this machine's clock is wrong: the wrong times would
 * stay in the records, and the service would refuse its next start.
 */
export async function onStorage(
  { databaseUrl, operatorLimits = {}, nodeLostAfterMs, secrets, readsOnly = false }: StorageOfWork,
  work: (desk: OperatorsDesk) => Promise<void>,
): Promise<void> {
  const storage = await storageOf(databaseUrl, { beside: true })
  try {
    const platform = nodePlatform(secrets ?? { secret: randomBytes(32).toString('hex') })
    if (!readsOnly) {
      const ofDatabase = isPostgresUrl(databaseUrl) ? () => databaseNow(databaseUrl) : undefined
      await checkClock({ storage, databaseNow: ofDatabase, logger: SILENT_LOGGER }, platform.clock.now())
    }
    platform.clock.advanceTo(await storage.newestInstant())
    const lost = nodeLostAfterMs === undefined ? {} : { nodeLostAfterMs }
    await work({ storage, matchyard: createMatchyard({ storage, ...platform, operatorLimits, ...lost }) })
  } finally {
    await storage.close()
  }
}

/**
 * Creates the schema in a new database, and returns whether it did so. Does not change an existing schema, because the
 * service updates it.
 */
export async function prepareStorage(databaseUrl: string): Promise<boolean> {
  const inspected = await inspectDatabase(databaseUrl)
  if (inspected !== undefined && inspected.seen.schemaVersion > 0) return false
  const storage = await storageOf(databaseUrl)
  try {
    await storage.migrate()
  } finally {
    await storage.close()
  }
  return true
}

/**
 * Returns the name of a database to show to an operator: the path of a file, or the URL of a server without its
 * password.
 */
export function nameOf(databaseUrl: string): string {
  const path = sqlitePathOf(databaseUrl)
  return path === undefined ? redacted(databaseUrl) : resolve(path)
}

/** Returns the id of an account. Throws ConfigurationError when no account has the address. */
export async function accountIdOf(storage: Storage, email: string): Promise<string> {
  const account = await storage.find('account', uniqueKey.email(email.toLowerCase()))
  if (account === undefined)
    throw new ConfigurationError(`there is no account ${JSON.stringify(email)} in this storage`)
  return account.id
}
