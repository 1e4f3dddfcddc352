import { control } from '../../../src/control'
import type { Load } from '../load'

export const DUEL_QUEUE = 'soak_duels'
export const GAME_QUEUE = 'soak_games'
const DUEL_EVERY_MS = 1_500
const GAME_EVERY_MS = 12_000

interface LobbyBody {
  readonly lobby_id: string
  readonly status: string
  readonly server: { readonly network_ports: readonly { name: string; host: string; external_port: number }[] } | null
}

/** Searches an opponent, cancels every fifth search, and starts again. */
export const playDuels = (load: Load, player: string): Promise<void> =>
  load.repeat(DUEL_EVERY_MS, async (turn) => {
    const path = await queued(load, player, DUEL_QUEUE)
    if (turn % 5 === 0) await load.call({ method: 'DELETE', path: `${path}/queue`, player })
    await load.until('a duel', async () => {
      await load.call({ method: 'GET', path: `${path}/queue`, player })
      return ['in_game', 'waiting'].includes(await statusOf(load, path))
    })
    await load.call({ method: 'DELETE', path, player })
    load.count('duels')
  })

/** Matches two players, who play on a real game server. The server ends by itself or with its match. */
export const playGames = (load: Load, name: string): Promise<void> =>
  load.repeat(GAME_EVERY_MS, async (turn) => {
    const players = [`${name}-a`, `${name}-b`]
    const paths = await Promise.all(players.map((player) => queued(load, player, GAME_QUEUE)))
    const [path = ''] = paths
    await load.until('a launch', async () => ['in_game', 'waiting'].includes(await statusOf(load, path)))
    const { body } = await load.call<LobbyBody>({ method: 'GET', path })
    const port = body.server?.network_ports.find((one) => one.name === 'control')
    if (port !== undefined) {
      await load.pause(1_000)
      if (turn % 2 === 0) await control(port, 'over')
      else await load.backend({ method: 'POST', path: `${path}/end` })
      load.count('games')
    }
    await load.until(
      `the end of a game by ${turn % 2 === 0 ? 'its server' : 'the backend'}`,
      async () => (await statusOf(load, path)) === 'waiting',
    )
    await Promise.all(
      paths.map((one, index) => load.call({ method: 'DELETE', path: one, player: players[index] ?? '' })),
    )
  })

async function queued(load: Load, player: string, queue_id: string): Promise<string> {
  const body = { queue_id, state: { mmr: Math.floor(load.random() * 50) } }
  const made = await load.call<LobbyBody>({ method: 'POST', path: '/v1/lobbies', player, body })
  const path = `/v1/lobbies/${made.body.lobby_id}`
  await load.call({ method: 'POST', path: `${path}/queue`, player })
  return path
}

const statusOf = async (load: Load, path: string) => (await load.call<LobbyBody>({ method: 'GET', path })).body.status
