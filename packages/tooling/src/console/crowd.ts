import { setTimeout as pause } from 'node:timers/promises'
import type { DevCredentials } from '../service-process'

/** Milliseconds between two looks of a player at its lobby. */
const LOOK_EVERY_MS = 700

/** Players who search in a queue again and again, over HTTP. */
export interface Crowd {
  /** Number of searches that the players began. */
  readonly searches: () => number
  /** Ends the searches. Resolves when no player makes further calls. */
  stop(): Promise<void>
}

/** Starts players who search in a queue; each searches again when its match has ended or failed. */
export function startCrowd({ base_url, client_key }: DevCredentials, queueId: string, players: number): Crowd {
  let isOver = false
  let searches = 0
  const call = async (player: string, method: string, path: string, body?: object) => {
    const headers = { 'api-key': client_key, 'x-player-id': player, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${base_url}${path}`, { method, headers, ...sent })
    return { status: answer.status, body: (await answer.json().catch(() => ({}))) as Record<string, string> }
  }
  const play = async (player: string) => {
    const { body: lobby } = await call(player, 'POST', '/v1/lobbies', { queue_id: queueId })
    const path = `/v1/lobbies/${lobby.lobby_id}`
    while (!isOver) {
      const { body } = await call(player, 'GET', path)
      if (body.status === 'waiting' && (await call(player, 'POST', `${path}/queue`, {})).status === 200) searches++
      await pause(LOOK_EVERY_MS)
    }
  }
  // Calls that were under way when the service ended are refused; the players then end too.
  const all = Array.from({ length: players }, (_, place) => play(`player-${place + 1}`).catch(() => {}))
  return {
    searches: () => searches,
    stop: async () => {
      isOver = true
      await Promise.all(all)
    },
  }
}
