import type { Storage } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { type Embedded, embed, many, openLobbies, type Spent, spend } from '../embedded'
import { atLeast, atMost, count, median, ROUNDS, type Row } from '../row'
import { startColyseus } from '../served'

const QUEUE = 'duels'
const PLAYERS = Number(process.env.BENCH_PLAYERS ?? 2_000)
const ROOMS = 10_000
const JOINS = 200
const TIMES = 100
const [FEW, MANY] = [10, Number(process.env.BENCH_LOBBIES ?? 100_000)]
const FLAT = 1.1
const LOOK_EVERY_MS = 2

/**
 * Compares two works in CPU time: creating, queueing and matching a player in the embedded service on memory, and
 * joining a player to one of 10,000 open rooms in Colyseus.
 */
export async function inProcess(): Promise<Row[]> {
  const colyseus = await startColyseus()
  const [few, all] = [await Duels.among(FEW), await Duels.among(MANY)]
  try {
    await colyseus.tell({ rooms: ROOMS })
    const join = async () => (await colyseus.tell<Spent>({ joins: JOINS })).cpuMicros / JOINS
    for (const warm of [join, () => few.play(), () => all.play()]) await warm()
    const [joins, among, amongMany]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < ROUNDS; round++) {
      joins.push(await join())
      among.push(await few.play())
      amongMany.push(await all.play())
    }
    const times = median(joins.map((micros, round) => micros / (among[round] ?? Number.NaN)))
    const flat = median(amongMany.map((micros, round) => micros / (among[round] ?? Number.NaN)))
    const ours = `${count(median(among))} µs of CPU a player`
    return [
      {
        what: 'embedded on memory: create, enqueue, match',
        ours,
        beside: `Colyseus in process at ${count(ROOMS)} open rooms: ${count(median(joins))} µs a join`,
        ratio: `${times.toFixed(1)} x`,
        target: `≥ ${TIMES} x`,
        met: atLeast(TIMES, times),
      },
      {
        what: `the same among ${count(MANY)} open lobbies`,
        ours: `${count(median(amongMany))} µs of CPU a player`,
        beside: `among ${FEW}: ${ours}`,
        ratio: flat.toFixed(2),
        target: `flat (≤ ${FLAT})`,
        met: atMost(FLAT, flat),
      },
    ]
  } finally {
    for (const duels of [few, all]) await duels.stop()
    await colyseus.stop()
  }
}

class Duels {
  private players = 0

  private constructor(
    private readonly storage: Storage,
    private readonly embedded: Embedded,
  ) {}

  static async among(lobbies: number): Promise<Duels> {
    const storage = memoryStorage()
    const embedded = await embed(storage)
    const { matchyard, projectId } = embedded
    await matchyard.queues.create({ projectId, queueId: 'open', name: 'Open', lobbyTtlSeconds: 86_400 })
    const matchmaking = {
      teams: 2,
      playersPerTeam: 1,
      useVersionFromState: true,
      rules: [{ type: 'difference' as const, field: 'mmr', maxDifference: 200 }, { type: 'region' as const }],
    }
    const serverSettings = { source: 'external' as const }
    await matchyard.queues.create({ projectId, queueId: QUEUE, name: 'Duels', matchmaking, serverSettings })
    await openLobbies(embedded, 'open', lobbies)
    await matchyard.start()
    return new Duels(storage, embedded)
  }

  /** Returns the CPU microseconds per player, from the creation of the lobby to the match. */
  async play(): Promise<number> {
    const { matchyard, projectId } = this.embedded
    const { cpuMicros } = await spend(async () => {
      await many(PLAYERS, async () => {
        const playerId = `p${this.players++}`
        const state = { mmr: 1_500 + (this.players % 100), game_version: 'v1', regions: ['iad', 'fra'] }
        const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: QUEUE, playerId, state })
        await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId })
      })
      while ((await this.storage.tickets.waiting(`${projectId}/${QUEUE}`)).length > 0) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      }
    })
    return cpuMicros / PLAYERS
  }

  stop = () => this.embedded.matchyard.stop()
}
