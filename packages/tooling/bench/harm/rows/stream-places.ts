import { createMatchyard, type Matchyard } from '@matchyard/core'
import { nodePlatform } from '@matchyard/node'
import { memoryStorage } from '@matchyard/storage-memory'
import type { HarmFigure, HarmRow } from '../row'
import { openMany, pause, type RawCall, RawConnection } from '../sockets'
import { HarmWorld } from '../world'

const STREAMS = 10_000
/** The most streams that a project tries to open until it is refused. */
const ENDLESS = 30_000
/** Streams of each invented player. */
const EACH = 8
const PLAYERS = 50
const TRIES = 3
const TRY_AGAIN_MS = 1_500
/** Milliseconds for which the attack runs before the other players come. */
const SETTLE_MS = 2_000

export const row: HarmRow = {
  name: 'stream-places',
  harm: `${STREAMS.toLocaleString('en-US')} streams of one player, and then as many of one project as it is given, before others come`,
  async run() {
    return [...(await onePlayer()), ...(await oneProject())]
  },
}

/** One member opens many streams, then other players with the same key open theirs. */
async function onePlayer(): Promise<HarmFigure[]> {
  const world = await HarmWorld.serve()
  try {
    const { client_key: key } = world.credentials
    const players = await playersOf(world, key)
    const quiet = await refusedOf(world, players)
    const path = await lobbyOf(world, key, 'greedy')
    const before = world.memoryMb()
    const opened = await openMany(world.baseUrl, STREAMS, () => [{ path: `${path}/events`, key, player: 'greedy' }])
    await pause(SETTLE_MS)
    const held = opened.filter((one) => one.isOpen && one.begunWith === 200).length
    const attacked = await refusedOf(world, players)
    const memory = world.memoryMb()
    for (const one of opened) one.close()
    return [
      { what: 'one player: other players refused', unit: `of ${PLAYERS}`, quiet, attacked },
      { what: 'one player: its streams that are open', unit: '', quiet: 0, attacked: held },
      { what: 'one player: memory', unit: 'MB', quiet: before, attacked: memory },
    ]
  } finally {
    await world.stop()
  }
}

/**
 * A project opens streams with all of its keys until it is refused, then players of another project open theirs. Runs
 * in this process without sockets, because a process may not have so many.
 */
async function oneProject(): Promise<HarmFigure[]> {
  const storage = memoryStorage()
  const matchyard = createMatchyard({ storage, ...nodePlatform({ secret: 'a secret of the benchmark, long enough' }) })
  await matchyard.open()
  try {
    const [greedy, other] = [await projectOf(matchyard, 'greedy'), await projectOf(matchyard, 'other')]
    const quiet = await refusedIn(matchyard, other)
    const before = process.memoryUsage().rss
    for (const keyId of ['key-1', 'key-2', 'key-3']) {
      for (const backend of [false, true])
        await openWithoutEnd(matchyard, greedy, { backend, keyId: `${keyId}-${backend}` })
    }
    const open = matchyard.openStreams()
    const bytes = (process.memoryUsage().rss - before) / open
    const attacked = await refusedIn(matchyard, other)
    return [
      { what: "one project: another project's players refused", unit: `of ${PLAYERS}`, quiet, attacked },
      { what: 'one project: its streams that are open', unit: 'of 20,000', quiet: 0, attacked: open },
      { what: 'one project: memory of one of them', unit: 'bytes', quiet: 0, attacked: bytes },
    ]
  } finally {
    await matchyard.stop()
  }
}

async function projectOf(matchyard: Matchyard, name: string) {
  const { id: projectId } = await matchyard.projects.ensure({ name })
  await matchyard.queues.create({ projectId, queueId: 'demo', name: 'Demo' })
  return projectId
}

/** Opens streams of invented players, each in a lobby of its own, until one stream is refused. */
async function openWithoutEnd(matchyard: Matchyard, projectId: string, by: { backend: boolean; keyId: string }) {
  for (let n = 0; n < ENDLESS / EACH; n++) {
    const playerId = `invented-${by.keyId}-${n}`
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'demo', playerId })
    for (let each = 0; each < EACH; each++) {
      const watch = matchyard.lobbies.watch({ projectId, lobbyId, playerId, ...by })
      if ((await watch.catch(() => undefined)) === undefined) return
    }
  }
}

async function refusedIn(matchyard: Matchyard, projectId: string): Promise<number> {
  let refused = 0
  for (let n = 0; n < PLAYERS; n++) {
    const playerId = `honest-${n}`
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'demo', playerId })
    const watch = matchyard.lobbies.watch({ projectId, lobbyId, playerId, backend: false, keyId: 'key-of-other' })
    const stream = await watch.catch(() => undefined)
    if (stream === undefined) refused++
    stream?.close()
  }
  return refused
}

async function lobbyOf(world: HarmWorld, key: string, player: string): Promise<string> {
  const client = world.client(key)
  const call = { method: 'POST', path: '/v1/lobbies', player, body: { queue_id: 'demo' } }
  const { status, body } = await client.call<{ lobby_id: string }>(call)
  client.close()
  if (status !== 201) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
  return `/v1/lobbies/${body.lobby_id}`
}

/** Returns how many players get no stream of their lobby in three tries. */
async function refusedOf(world: HarmWorld, players: readonly RawCall[]): Promise<number> {
  const isRefused = async (call: RawCall) => {
    for (let tries = 0; tries < TRIES; tries++) {
      if (tries > 0) await pause(TRY_AGAIN_MS)
      const stream = RawConnection.open(world.baseUrl, [call])
      const status = await stream.status()
      stream.close()
      if (status === 200) return false
    }
    return true
  }
  return (await Promise.all(players.map(isRefused))).filter(Boolean).length
}

/** Creates a lobby for each of the players and returns the calls that open their streams. */
async function playersOf(world: HarmWorld, key: string): Promise<RawCall[]> {
  const players: RawCall[] = []
  for (let n = 0; n < PLAYERS; n++) {
    const player = `honest-${n}`
    players.push({ path: `${await lobbyOf(world, key, player)}/events`, key, player })
  }
  return players
}
