import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMatchyard, type Matchyard, type Rating } from '@matchyard/core'
import type { Storage, Tokens } from '@matchyard/core/ports'
import { nodePlatform } from '@matchyard/node'
import { manualPayments } from '@matchyard/payments/manual'
import { postgresStorage } from '@matchyard/storage-postgres'
import { startServer } from '@matchyard/storage-postgres/testing'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import { pidsOf, usedBy } from '../processor-time'

/** A service in this process on a durable storage, with ratings. Each has a queue of duels with the same id. */
export interface Arena {
  readonly matchyard: Matchyard
  readonly storage: Storage
  readonly tokens: Tokens
  readonly projectId: string
  readonly ratings: readonly Rating[]
  /** Returns the milliseconds of processor time that this process and the database have used. */
  used(): number
  close(): Promise<void>
}

const STORAGES = ['sqlite', 'postgres'] as const
export type StorageName = (typeof STORAGES)[number]

/** Returns the storages that the command line names; all without a name. */
export function wantedStorages(): readonly StorageName[] {
  const words = process.argv.slice(2)
  const unknown = words.filter((word) => !STORAGES.some((name) => name === word))
  if (unknown.length > 0) throw new Error(`unknown storage ${unknown.join(', ')}; use ${STORAGES.join(' or ')}`)
  return words.length === 0 ? STORAGES : STORAGES.filter((name) => words.includes(name))
}

export async function openArena(name: StorageName, ratingIds: readonly string[]): Promise<Arena> {
  const { storage, database, end } = await (name === 'sqlite' ? onSqlite() : onPostgres())
  await storage.migrate()
  const platform = nodePlatform({ secret: 'a secret of at least 32 characters for a bench' })
  const matchyard = createMatchyard({ storage, ...platform, payments: manualPayments() })
  await matchyard.open()
  const account = { email: 'bench@example.com', passwordHash: 'nobody signs in here' }
  const { id: projectId } = await matchyard.projects.ensure({ name: 'Bench', ...account })
  const ratings: Rating[] = []
  for (const ratingId of ratingIds) {
    ratings.push(await matchyard.ratings.set({ projectId, ratingId, name: 'Ladder', placementMatches: 5 }))
    const matchmaking = { teams: 2, playersPerTeam: 1 }
    const duel = { name: 'Duel', rating: ratingId, presenceTimeoutSeconds: 0, matchmaking }
    await matchyard.queues.create({ projectId, queueId: ratingId, ...duel })
  }
  const close = async () => {
    await matchyard.stop()
    await storage.close()
    await end()
  }
  const used = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000 + database()
  }
  return { matchyard, storage, tokens: platform.tokens, projectId, ratings, used, close }
}

interface Ground {
  readonly storage: Storage
  /** Returns the milliseconds of processor time of the database's own processes. */
  readonly database: () => number
  readonly end: () => Promise<void>
}

async function onSqlite(): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'matchyard-ratings-'))
  const storage = sqliteStorage({ path: join(folder, 'bench.db') })
  const end = () => rm(folder, { recursive: true, force: true })
  return { storage, database: () => 0, end }
}

async function onPostgres(): Promise<Ground> {
  const server = await startServer(['fsync=on', 'full_page_writes=on', 'shared_buffers=256MB', 'max_wal_size=4GB'])
  const storage = postgresStorage({ url: server.url, poolSize: 16 })
  const database = () => usedBy(pidsOf('postgres', server.url))
  return { storage, database, end: () => server.stop() }
}
