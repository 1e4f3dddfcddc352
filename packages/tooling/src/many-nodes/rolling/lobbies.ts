import { setTimeout as wait } from 'node:timers/promises'
import type { Traffic } from './traffic'

export const ROOMS = { queue_id: 'rooms', name: 'Rooms', max_players: 4 } as const
export const DUELS = { queue_id: 'duels', name: 'Duels', matchmaking: { teams: 2, players_per_team: 1 } } as const

const LOOK_EVERY_MS = 50
const QUEUE_EVERY_MS = 200

interface LobbyBody {
  readonly lobby_id: string
  readonly status: string
}
interface RoomBody {
  readonly players: readonly unknown[]
  readonly settings: Readonly<Record<string, unknown>>
}

export async function makeLobby(traffic: Traffic, player: string, queueId: string): Promise<string | undefined> {
  const made = await traffic.call<LobbyBody>({
    method: 'POST',
    path: '/v1/lobbies',
    player,
    body: { queue_id: queueId },
    expects: 201,
  })
  return made?.body.lobby_id
}

/**
 * Repeats a game room without a queue: one player creates a lobby, another player joins it, its settings change, it is
 * read and deleted.
 */
export const playRooms = (traffic: Traffic, name: string): Promise<void> =>
  traffic.repeat(async (turn) => {
    const host = `${name}-${turn}`
    const lobbyId = await makeLobby(traffic, host, ROOMS.queue_id)
    if (lobbyId === undefined) return
    const path = `/v1/lobbies/${lobbyId}`
    const guest = `${host}-guest`
    await traffic.call({ method: 'POST', path: `${path}/join`, player: guest, body: {}, expects: 200 })
    const body = { settings: { turn } }
    await traffic.call({ method: 'PATCH', path: `${path}/settings`, player: host, body, expects: 200 })
    const seen = await traffic.call<RoomBody>({ method: 'GET', path, expects: 200 })
    if (seen !== undefined && (seen.body.players.length !== 2 || seen.body.settings.turn !== turn))
      traffic.violations.push(`what was answered is not there: ${JSON.stringify(seen.body)}`)
    await traffic.call({ method: 'DELETE', path, player: host, expects: 204 })
    await traffic.call({ method: 'GET', path, expects: 404 })
    traffic.count('rooms')
  })

/**
 * Repeats a search for an opponent: two players enter the queue, and each of them is matched with the other player or
 * with a third player.
 */
export const playDuels = (traffic: Traffic, name: string, waits: number[]): Promise<void> =>
  traffic.repeat(async (turn) => {
    await Promise.all(
      ['red', 'blue'].map(async (side) => {
        const player = `${name}-${side}-${turn}`
        const lobbyId = await makeLobby(traffic, player, DUELS.queue_id)
        if (lobbyId === undefined) return
        const path = `/v1/lobbies/${lobbyId}`
        await traffic.call({ method: 'POST', path: `${path}/queue`, player, expects: 200 })
        const since = performance.now()
        let status = 'in_queue'
        // The wait continues after the load has ended, because each waiting player must be matched.
        while (status !== 'in_game' && performance.now() - since < 30_000) {
          status = (await traffic.call<LobbyBody>({ method: 'GET', path, expects: 200 }))?.body.status ?? status
          if (status !== 'in_game') await wait(LOOK_EVERY_MS)
        }
        if (status !== 'in_game') traffic.violations.push(`${lobbyId} was not matched in half a minute: ${status}`)
        waits.push(performance.now() - since)
        traffic.count('parties matched')
        await traffic.call({ method: 'DELETE', path, player, expects: 204 })
      }),
    )
  })

/** Creates a queue, changes it and deletes it again and again, as a developer would do. */
export const keepQueues = (traffic: Traffic, key: string): Promise<void> =>
  traffic.repeat(async (turn) => {
    const queue = { queue_id: `passing_${turn}`, name: 'Passing', max_players: 4 }
    const path = `/v1/queues/${queue.queue_id}`
    const made = await traffic.call({ method: 'POST', path: '/v1/queues', key, body: queue, expects: 201 })
    if (made === undefined) return
    await traffic.call({ method: 'PATCH', path, key, body: { name: `Passing ${turn}` }, expects: 200 })
    await traffic.call({ method: 'DELETE', path, key, expects: 204 })
    traffic.count('queues')
  }, QUEUE_EVERY_MS)
