import { setTimeout as wait } from 'node:timers/promises'
import { LIVE_SERVER_STATUSES, LOBBY_STATUSES } from '@matchyard/core'
import { packGameServer } from '@matchyard/example-game-server'
import { eventually } from '../../eventually'
import type { ChaosWorld } from './world'

export const GAMES_QUEUE = 'games'
const LOOK_EVERY_MS = 200
/** Milliseconds in which all work in progress must end: launches, servers of lost nodes, jobs of killed workers. */
const SETTLED_WITHIN_MS = 150_000

interface LobbyBody {
  readonly status: string
}

/** Uploads the build that the queue's game servers run. */
export async function uploadGame(world: ChaosWorld): Promise<void> {
  const key = world.cluster.serverKey
  const upload = await world.insist<{ build_id: string; upload_url: string }>({
    method: 'POST',
    path: '/v1/builds/upload-url',
    key,
    body: { name: GAMES_QUEUE, executable_path: 'server.mjs' },
  })
  await fetch(upload.body.upload_url, { method: 'PUT', body: new Uint8Array(await packGameServer()) })
  await eventually(
    () => world.insist({ method: 'GET', path: `/v1/builds/${upload.body.build_id}`, key }),
    ({ body }) => body.status === 'ready',
  )
}

/** Makes one lobby start games on real servers, play for some time and end them, again and again. */
export async function playGames(world: ChaosWorld): Promise<void> {
  const player = 'gus'
  const path = `/v1/lobbies/${await world.makeLobby(player, GAMES_QUEUE)}`
  const status = async () => (await world.insist<LobbyBody>({ method: 'GET', path })).body.status
  while (world.loading) {
    await world.attempt({ method: 'POST', path: `${path}/start`, player })
    while (world.loading && (await status()) === 'starting') await wait(LOOK_EVERY_MS)
    if ((await status()) === 'in_game') world.count('games played')
    await wait(world.random() * 1_000)
    await world.attempt({ method: 'POST', path: `${path}/end`, player })
    while (world.loading && (await status()) === 'in_game') await wait(LOOK_EVERY_MS)
  }
}

/**
 * Checks that nothing is stuck when all nodes run and there is no load: no lobby stays `matched` or `starting`, and
 * each server ends.
 */
export async function checkSettled(world: ChaosWorld): Promise<void> {
  const { storage, projectId, serverKey } = world.cluster
  const page = { limit: 100, offset: 0 }
  const lobbies = async () => {
    const all = LOBBY_STATUSES.filter((status) => status !== 'waiting').map((status) =>
      storage.lobbies.browse({ projectId, status, includePrivate: true, sort: 'created_at_desc', ...page }),
    )
    return (await Promise.all(all)).flatMap(({ data }) => data)
  }
  const live = () => storage.servers.listLive()
  // Lobbies that are still in a queue or in a game when the load ends are deleted, as a studio would do.
  for (const { id, status } of await lobbies()) {
    if (status === 'matched' || status === 'starting') continue
    await world.insist({ method: 'DELETE', path: `/v1/lobbies/${id}`, key: serverKey })
  }
  try {
    await eventually(
      async () => {
        const between = (await lobbies()).filter(({ status }) => status === 'matched' || status === 'starting')
        const servers = (await live()).filter(({ status }) => status !== 'running')
        return [...between, ...servers].map(({ id, status }) => `${id} is ${status}`)
      },
      (stuck) => stuck.length === 0,
      SETTLED_WITHIN_MS,
    )
  } catch (error) {
    world.violations.push(`after the load something is stuck: ${String(error)}`)
  }
  for (const { id } of await live()) {
    await world.insist({ method: 'DELETE', path: `/v1/servers/${id}`, key: serverKey })
  }
  try {
    await eventually(live, (servers) => servers.length === 0, SETTLED_WITHIN_MS)
  } catch (error) {
    world.violations.push(`servers that are ${LIVE_SERVER_STATUSES.join(', ')} do not end: ${String(error)}`)
  }
}
