import { createMatchyard } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { nodePlatform } from '@matchyard/node'
import { postgresStorage } from '@matchyard/storage-postgres'
import { SideDoor, startServer } from '@matchyard/storage-postgres/testing'
import type { HarmRow } from '../row'

const STREAMS = 4_000
const WATCHED_MS = 10_000

export const row: HarmRow = {
  name: 'quiet-streams',
  harm: `${STREAMS.toLocaleString('en-US')} streams of as many lobbies that nothing happens in, on one node on PostgreSQL`,
  async run() {
    const database = await startServer()
    const storage = postgresStorage({ url: database.url, poolSize: 10 })
    const matchyard = createMatchyard({
      storage,
      ...nodePlatform({ secret: 'a secret of the benchmark, long enough' }),
    })
    const door = new SideDoor(database.url, 'matchyard')
    try {
      await matchyard.start()
      const quiet = await transactionsPerSecond(door)
      const streams = await openStreams(matchyard, storage)
      const attacked = await transactionsPerSecond(door)
      for (const stream of streams) stream.close()
      return [{ what: 'transactions', unit: 'a second', quiet, attacked }]
    } finally {
      await matchyard.stop()
      await door.end()
      await database.stop()
    }
  },
}

async function transactionsPerSecond(door: SideDoor): Promise<number> {
  const commits = async () => {
    const [found] = await door.query<{ n: string }>(
      'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
    )
    return Number(found?.n)
  }
  // PostgreSQL adds a connection's activity to its statistics only after the connection was idle for 10 s.
  await pause(12_000)
  const before = await commits()
  await pause(WATCHED_MS)
  return ((await commits()) - before) / (WATCHED_MS / 1_000)
}

async function openStreams(matchyard: ReturnType<typeof createMatchyard>, storage: Storage) {
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
  const [key] = (await storage.apiKeys.list(projectId, { limit: 1, offset: 0 })).data
  const open = async (n: number) => {
    const playerId = `player-${n}`
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId })
    const stream = await matchyard.lobbies.watch({ projectId, lobbyId, playerId, backend: false, keyId: key?.id })
    await stream.next()
    return stream
  }
  const streams = []
  for (let from = 0; from < STREAMS; from += 100) {
    streams.push(...(await Promise.all(Array.from({ length: 100 }, (_, index) => open(from + index)))))
  }
  return streams
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
