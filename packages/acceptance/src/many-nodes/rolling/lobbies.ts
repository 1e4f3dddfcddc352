import { setTimeout as wait } from 'node:timers/promises'
import type { Traffic } from './traffic'

export const ROOMS = { queue_id: 'rooms', name: 'Rooms', max_players: 4 } as const
export const DUELS = { queue_id: 'duels', name: 'Duels', matchmaking: { teams: 2, players_per_team: 1 } } as const

const LOOK_EVERY_MS = 50

interface LobbyBody {
  readonly lobby_id: string
  readonly status: string
}

export async function makeLobby(traffic: Traffic, player: string, queueId: string): Promise<string | undefined> {
  const made = await traffic.call<LobbyBody>({
    method: 'POST',
    path: '/v1/lobbies',
    player,
    body: { queue_id: queueId },
  })
  if (made !== undefined && made.status !== 201) traffic.violations.push(`no lobby was made: ${JSON.stringify(made)}`)
  return made?.body.lobby_id
}

/** Somebody makes a lobby, somebody else joins it, everybody looks, and it is gone. */
export const playRooms = (traffic: Traffic, name: string): Promise<void> =>
  traffic.repeat(async (turn) => {
    const host = `${name}-${turn}`
    const lobbyId = await makeLobby(traffic, host, ROOMS.queue_id)
    if (lobbyId === undefined) return
    const path = `/v1/lobbies/${lobbyId}`
    const joined = await traffic.call({ method: 'POST', path: `${path}/join`, player: `${host}-guest`, body: {} })
    if (joined !== undefined && joined.status !== 200)
      traffic.violations.push(`nobody joined: ${JSON.stringify(joined)}`)
    const seen = await traffic.call<{ players: unknown[] }>({ method: 'GET', path })
    if (seen !== undefined && seen.body.players.length !== 2)
      traffic.violations.push(`a join that was answered is not there: ${JSON.stringify(seen.body)}`)
    await traffic.call({ method: 'DELETE', path, player: host })
    traffic.count('rooms')
  })

/** Two look for an opponent, and find each other or others who do the same. */
export const playDuels = (traffic: Traffic, name: string, waits: number[]): Promise<void> =>
  traffic.repeat(async (turn) => {
    await Promise.all(
      ['red', 'blue'].map(async (side) => {
        const player = `${name}-${side}-${turn}`
        const lobbyId = await makeLobby(traffic, player, DUELS.queue_id)
        if (lobbyId === undefined) return
        const path = `/v1/lobbies/${lobbyId}`
        await traffic.call({ method: 'POST', path: `${path}/queue`, player })
        const since = performance.now()
        let status = 'in_queue'
        // Also once the load is over: whoever waits is matched.
        while (status !== 'in_game' && performance.now() - since < 30_000) {
          status = (await traffic.call<LobbyBody>({ method: 'GET', path }))?.body.status ?? status
          if (status !== 'in_game') await wait(LOOK_EVERY_MS)
        }
        if (status !== 'in_game') traffic.violations.push(`${lobbyId} was not matched in half a minute: ${status}`)
        waits.push(performance.now() - since)
        traffic.count('parties matched')
        await traffic.call({ method: 'DELETE', path, player })
      }),
    )
  })
