import type { IncomingMessage } from 'node:http'
import type { Load } from './load'
import { LOBBY_QUEUE } from './parts/lobbies'
import { DUEL_QUEUE, GAME_QUEUE } from './parts/matches'
import { open, STATE_BYTES } from './parts/streams'
import { uploadBuild } from './parts/uploads'

/**
 * Lobbies, and changes of each. Together they exceed SQLite's page cache (8 MB in the soak, 64 MB by default), so that
 * its filling does not look like a leak.
 */
const LOBBIES = 24
const CHANGES = 110
const TEXT = 'x'.repeat(15_000)
/** Changes of each lobby that fill the kept event streams (16 MiB) with events like those of the load. */
const WATCHED_CHANGES = 300

/** Creates the queues and the build of the load. */
export async function furnish(load: Load): Promise<void> {
  await uploadBuild(load, GAME_QUEUE)
  const network_ports = [
    { name: 'game', protocol: 'udp', internal_port: 7777 },
    { name: 'control', protocol: 'tcp', internal_port: 7778 },
  ]
  const matchmaking = { teams: 2, players_per_team: 1 }
  for (const body of [
    { queue_id: LOBBY_QUEUE, name: 'Lobbies', max_players: 4 },
    { queue_id: DUEL_QUEUE, name: 'Duels', matchmaking },
    { queue_id: GAME_QUEUE, name: 'Games', matchmaking, server_settings: { version_tag: GAME_QUEUE, network_ports } },
  ]) {
    const { status } = await load.backend({ method: 'POST', path: '/v1/queues', body })
    if (status !== 201) throw new Error(`the queue ${body.queue_id} was answered ${status}`)
  }
}

/** Fills the caches that are allowed to fill. */
export async function fillCaches(load: Load): Promise<void> {
  const each = (fill: (player: string) => Promise<void>) =>
    Promise.all(Array.from({ length: LOBBIES }, (_, index) => fill(`filler-${index}`)))
  await each((player) => changeOften(load, player, { settings: TEXT, state: TEXT, changes: CHANGES }))
  const watched = { settings: '', state: 'x'.repeat(STATE_BYTES), changes: WATCHED_CHANGES }
  await each((player) => changeOften(load, player, watched, (path) => open(load, path)))
}

interface Filling {
  readonly settings: string
  readonly state: string
  readonly changes: number
}

/** Creates a lobby of one player and changes it many times; `watch` opens a stream of it first. */
async function changeOften(
  load: Load,
  player: string,
  { settings, state, changes }: Filling,
  watch?: (path: string) => Promise<{ readonly body: IncomingMessage }>,
): Promise<void> {
  const made = await load.call<{ lobby_id: string }>({
    method: 'POST',
    path: '/v1/lobbies',
    player,
    body: { queue_id: LOBBY_QUEUE, settings: { text: settings } },
  })
  const path = `/v1/lobbies/${made.body.lobby_id}`
  const stream = await watch?.(path)
  stream?.body.resume()
  for (let change = 0; change < changes; change++) {
    const body = { state: { change, text: state } }
    await load.call({ method: 'PATCH', path: `${path}/players/${player}`, player, body })
  }
  await load.call({ method: 'DELETE', path, player })
  stream?.body.destroy()
}
