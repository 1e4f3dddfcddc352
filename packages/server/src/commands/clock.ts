import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { correctSqliteClock } from '@matchyard/storage-sqlite'
import { defineCommand } from 'citty'
import { ConfigurationError } from '../config/configuration-error'
import { sqlitePathOf } from '../config/database-url'
import { readStorageConfig } from '../config/serve-config'
import { clockDoubt, clockFault } from '../service/clock-faults'
import { inspectDatabase } from '../service/inspect-database'
import { print } from '../service/print'
import { forgetSharedLimits } from '../service/shared-limits'
import { tellFailure } from '../service/tell-failure'

const at = (instant: number) => new Date(instant).toISOString()

/**
 * Command that compares the machine's clock with the times in the storage. With `--accept` it corrects the times that
 * were stored while the clock was ahead; otherwise these times would be in the future for weeks.
 */
export const clock = defineCommand({
  meta: {
    name: 'clock',
    description: 'Compare the clock with the records, or bring records from the future back to it.',
  },
  args: {
    accept: {
      type: 'boolean',
      description: "The machine's clock is right: bring everything after it back (the service must be stopped)",
      default: false,
    },
  },
  run: ({ args }) =>
    tellFailure(async () => {
      const { databaseUrl } = readStorageConfig(process.env)
      await print(`${args.accept ? await accept(databaseUrl) : await compare(databaseUrl)}\n`)
    }),
})

async function compare(databaseUrl: string): Promise<string> {
  const database = await inspectDatabase(databaseUrl)
  if (database === undefined) return 'the file does not exist yet'
  const { kind, seen } = database
  const clocks = {
    now: Date.now(),
    newest: seen.newestInstant,
    ...(kind === 'server' && { database: seen.now }),
  }
  return (
    clockFault(clocks) ??
    clockDoubt(clocks) ??
    `the clock says ${at(clocks.now)}, and the newest record is of ${at(clocks.newest)}: all is well`
  )
}

async function accept(databaseUrl: string): Promise<string> {
  const now = Date.now()
  const from = await correct(databaseUrl, now)
  if (from === undefined) return `no record lies after ${at(now)}: there was nothing to bring back`
  return `everything after ${at(now)} is brought back to it; the newest record was of ${at(from)}`
}

async function correct(databaseUrl: string, now: number): Promise<number | undefined> {
  const path = sqlitePathOf(databaseUrl)
  if (path !== undefined) {
    const file = resolve(path)
    if (!existsSync(file)) throw new ConfigurationError(`DATABASE_URL: ${file} does not exist`)
    return correctSqliteClock(file, now)
  }
  const { correctPostgresClock } = await import('@matchyard/storage-postgres')
  const from = await correctPostgresClock({ url: databaseUrl }, now)
  if (from !== undefined) await forgetSharedLimits(databaseUrl)
  return from
}
