import { randomBytes } from 'node:crypto'
import { createMatchyard, type Matchyard, type PlanLimits } from '@matchyard/core'
import { type Storage, uniqueKey } from '@matchyard/core/ports'
import { nodePlatform } from '@matchyard/node'
import { ConfigurationError } from '../config/configuration-error'
import { inspectDatabase } from '../service/inspect-database'
import { storageOf } from '../service/storage-url'

export interface OperatorsDesk {
  readonly storage: Storage
  /** For short calls: its worker does not run. */
  readonly matchyard: Matchyard
}

/** An operator's short work on a database, whether or not a service runs on it. */
export async function onStorage(
  { databaseUrl, operatorLimits = {} }: { databaseUrl: string; operatorLimits?: Partial<PlanLimits> },
  work: (desk: OperatorsDesk) => Promise<void>,
): Promise<void> {
  const storage = await storageOf(databaseUrl, { beside: true })
  try {
    // Neither keys nor passwords are hashed with the installation's secret, so a command that handles only them need not know it.
    const platform = nodePlatform({ secret: randomBytes(32).toString('hex') })
    platform.clock.advanceTo(await storage.newestInstant())
    await work({ storage, matchyard: createMatchyard({ storage, ...platform, operatorLimits }) })
  } finally {
    await storage.close()
  }
}

/** Brings a database that nobody has used yet to its first schema; one that is used is left to its service. */
export async function prepareStorage(databaseUrl: string): Promise<void> {
  const inspected = await inspectDatabase(databaseUrl)
  if (inspected !== undefined && inspected.seen.schemaVersion > 0) return
  const storage = await storageOf(databaseUrl)
  try {
    await storage.migrate()
  } finally {
    await storage.close()
  }
}

/** The id of an account. Throws ConfigurationError where there is none of the address. */
export async function accountIdOf(storage: Storage, email: string): Promise<string> {
  const account = await storage.find('account', uniqueKey.email(email.toLowerCase()))
  if (account === undefined)
    throw new ConfigurationError(`there is no account ${JSON.stringify(email)} in this storage`)
  return account.id
}
