import type { HarmFigure, HarmRow } from '../row'
import { pause, RawConnection } from '../sockets'
import { HarmWorld } from '../world'

const STATE_BYTES = 16_000
/** Changes of a lobby of that size, which fill about 3 MB of the event log. */
const CHANGES = 180
const WATCHED_MS = 8_000
/** Connections open at the same time; each is opened again as soon as it has ended. */
const HANDS = 16
const OPENED_EVERY_MS = 100

export const row: HarmRow = {
  name: 'reconnecting-client',
  harm: `one member resumes a stream from far back, ${HANDS} at once, again as soon as anything came`,
  async run() {
    const world = await HarmWorld.serve()
    try {
      const path = await longLog(world, 'greedy')
      const other = await longLog(world, 'honest')
      const quiet = await side(world, other)
      const attack = storm(world, `${path}/events`)
      const attacked = await side(world, other)
      const { opened, bytes, refused } = await attack.stop()
      const seconds = WATCHED_MS / 1_000
      return [
        { what: '/livez, longest', unit: 'ms', quiet: quiet.livezMax, attacked: attacked.livezMax },
        { what: "another player's stream opens, median", unit: 'ms', quiet: quiet.openMs, attacked: attacked.openMs },
        { what: 'CPU of the service', unit: 'ms/s', quiet: quiet.cpu, attacked: attacked.cpu },
        { what: 'resumes of the member', unit: 'a second', quiet: 0, attacked: opened / seconds },
        { what: 'of these refused', unit: 'a second', quiet: 0, attacked: refused / seconds },
        { what: 'sent to the member', unit: 'MB/s', quiet: 0, attacked: bytes / 1e6 / seconds },
      ] satisfies HarmFigure[]
    } finally {
      await world.stop()
    }
  },
}

async function longLog(world: HarmWorld, player: string): Promise<string> {
  const client = world.client()
  const made = await client.call<{ lobby_id: string }>({
    ...{ method: 'POST', path: '/v1/lobbies', player },
    body: { queue_id: 'demo' },
  })
  const path = `/v1/lobbies/${made.body.lobby_id}`
  for (let n = 0; n < CHANGES; n++) {
    const body = { state: { n, filler: 'x'.repeat(STATE_BYTES) } }
    await client.call({ method: 'PATCH', path: `${path}/players/${player}`, player, body })
  }
  client.close()
  return path
}

async function side(world: HarmWorld, path: string) {
  const took: number[] = []
  const key = world.credentials.client_key
  const cpuBefore = world.cpuMs()
  const figures = await world.watch(async () => {
    const until = performance.now() + WATCHED_MS
    while (performance.now() < until) {
      const startedAt = performance.now()
      const stream = RawConnection.open(world.baseUrl, [{ path: `${path}/events`, key, player: 'honest' }])
      await stream.status()
      took.push(performance.now() - startedAt)
      stream.close()
      await pause(OPENED_EVERY_MS * 2)
    }
  })
  took.sort((a, b) => a - b)
  const cpu = (world.cpuMs() - cpuBefore) / (WATCHED_MS / 1_000)
  return { livezMax: figures.livezMs.max, openMs: took[Math.floor(took.length / 2)] ?? 0, cpu }
}

function storm(world: HarmWorld, path: string) {
  let [opened, bytes, refused, isOver] = [0, 0, 0, false]
  const key = world.credentials.client_key
  const hand = async () => {
    while (!isOver) {
      const stream = RawConnection.open(world.baseUrl, [{ path, key, player: 'greedy', lastEventId: '1' }])
      const status = await stream.status()
      opened++
      if (status !== 200) refused++
      // The connection is closed after 100 ms, or earlier when the service closed it.
      for (let waited = 0; waited < OPENED_EVERY_MS && stream.isOpen; waited += 10) await pause(10)
      bytes += stream.bytes
      stream.close()
    }
  }
  const hands = Array.from({ length: HANDS }, hand)
  return {
    async stop() {
      isOver = true
      await Promise.all(hands)
      return { opened, bytes, refused }
    },
  }
}
