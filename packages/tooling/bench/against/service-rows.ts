import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { HarmWorld } from '../harm/world'
import { processorSeconds } from '../soak/figures'
import type { Side } from './side'

const QUEUE = 'against'
const CALLERS = 20
const WARM_UP = 300

/** Calls of each kind. The work of a row is the same in each run, so its cost is the service's CPU time. */
const LOBBIES = 1_000
const READS = 4_000
const BROWSES = 300
const DUELS = 200
/** Time for the director to make all matches and to set their timers. */
const MATCHED_WITHIN_MS = 20_000
const LOOK_EVERY_MS = 250

export type ServiceFigures = Readonly<Record<string, number>>

/** Returns the CPU seconds that a real service of the side uses for the same calls, by row. */
export async function serviceFigures(side: Side, databaseUrl: string | undefined): Promise<ServiceFigures> {
  const world = await HarmWorld.start({
    command: join(side.root, 'packages/server/dist/cli.js'),
    ...(databaseUrl === undefined ? {} : { env: { DATABASE_URL: databaseUrl } }),
  })
  try {
    return await new Calls(world).all()
  } finally {
    await world.stop()
  }
}

class Calls {
  private players = 0

  constructor(private readonly world: HarmWorld) {}

  async all(): Promise<ServiceFigures> {
    const { client_key, server_key } = this.world.credentials
    const backend = this.world.client(server_key)
    const client = this.world.client(client_key)
    const matchmaking = { teams: 2, players_per_team: 1 }
    await backend.call({ method: 'POST', path: '/v1/queues', body: { queue_id: QUEUE, name: 'Duel', matchmaking } })
    const made: string[] = []
    const make = async () => void made.push(await this.lobby(client))
    const join = async (n: number) => {
      const path = `/v1/lobbies/${made[n % LOBBIES]}/join`
      await ok(client.call({ method: 'POST', path, player: this.player(), body: { state: { mmr: n } } }))
    }
    const read = async (n: number) => {
      await ok(client.call({ method: 'GET', path: `/v1/lobbies/${made[n % made.length]}`, player: 'reader' }))
    }
    const browse = async () => {
      await ok(client.call({ method: 'GET', path: `/v1/lobbies?queue_id=${QUEUE}&limit=100`, player: 'reader' }))
    }
    await this.spend(WARM_UP, make)
    const figures = {
      'make a lobby': await this.spend(LOBBIES, make),
      'join one': await this.spend(LOBBIES, join),
      'read one': await this.spend(READS, read),
      'browse 100': await this.spend(BROWSES, browse),
      'a duel, from two lobbies to its match': await this.duels(client),
    }
    backend.close()
    client.close()
    return figures
  }

  private player = () => `p${this.players++}`

  private async lobby(client: ReturnType<HarmWorld['client']>, player = this.player()): Promise<string> {
    const body = { queue_id: QUEUE, state: { mmr: 1 }, settings: { map: 'desert', rounds: 5 } }
    const { lobby_id } = await ok<{ lobby_id: string }>(
      client.call({ method: 'POST', path: '/v1/lobbies', player, body }),
    )
    return lobby_id
  }

  /** Returns the CPU seconds of the service for so many calls. */
  private async spend(calls: number, call: (n: number) => Promise<void>): Promise<number> {
    const before = processorSeconds(this.world)
    let next = 0
    const caller = async () => {
      while (next < calls) await call(next++)
    }
    await Promise.all(Array.from({ length: CALLERS }, caller))
    return processorSeconds(this.world) - before
  }

  private async duels(client: ReturnType<HarmWorld['client']>): Promise<number> {
    const before = processorSeconds(this.world)
    const made: string[] = []
    await this.spend(DUELS * 2, async () => {
      const player = this.player()
      const id = await this.lobby(client, player)
      await ok(client.call({ method: 'POST', path: `/v1/lobbies/${id}/queue`, player }))
      made.push(id)
    })
    const giveUpAt = performance.now() + MATCHED_WITHIN_MS
    for (const id of made) {
      for (;;) {
        const { status } = await ok<{ status: string }>(client.call({ method: 'GET', path: `/v1/lobbies/${id}` }))
        if (status !== 'in_queue') break
        if (performance.now() > giveUpAt) throw new Error('a duel was not made')
        await wait(LOOK_EVERY_MS)
      }
    }
    return processorSeconds(this.world) - before
  }
}

async function ok<T>(answer: Promise<{ status: number; body: unknown }>): Promise<T> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`a call was refused: ${JSON.stringify(body)}`)
  return body as T
}
