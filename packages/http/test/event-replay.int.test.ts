import { expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { type Listening, listen } from './harness/sockets'
import { type ReadEvent, StreamReader } from './harness/stream-reader'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

// Streams on real sockets, cut at random bytes and resumed with Last-Event-ID: no gap, no duplicate.
const ROUNDS = Number(process.env.MATCHYARD_PROVE ?? 100)
const SEED = Number(process.env.MATCHYARD_SEED ?? 1)
const AT_ONCE = 10
const CHANGES = 12

/** Returns a source of uniform random numbers that is repeatable by its seed. */
function chance(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

async function change(service: Service, studio: Studio, lobbyId: string, draw: (below: number) => number) {
  for (let n = 0; n < CHANGES; n++) {
    const state = { n, filler: 'é'.repeat(draw(400)) }
    const options = { key: studio.client, player: 'ann', body: { state } }
    await service.call(`PATCH /v1/lobbies/${lobbyId}/players/ann`, options)
    for (let turns = draw(4); turns > 0; turns--) await turn()
  }
}

/**
 * Reads until the last version, over as many connections as necessary. Each connection except the last is cut at a
 * random byte.
 */
async function readAll(listening: Listening, studio: Studio, lobbyId: string, draw: (below: number) => number) {
  const events: ReadEvent[] = []
  let connections = 0
  const last = () => events.at(-1)?.id
  while (last() !== String(CHANGES + 1)) {
    const lastEventId = last()
    const url = `${listening.url}/v1/lobbies/${lobbyId}/events`
    const resume = lastEventId === undefined ? {} : { lastEventId }
    const reader = new StreamReader(url, { key: studio.client, player: 'ann', ...resume })
    const bytes = connections++ < 30 ? draw(4_000) : Number.POSITIVE_INFINITY
    await reader.until(() => reader.text.length >= bytes || reader.events.at(-1)?.id === String(CHANGES + 1))
    // The reader keeps only complete events; the remaining bytes are lost with the connection.
    events.push(...reader.events)
    reader.cut()
  }
  return { events, connections }
}

async function round(service: Service, studio: Studio, listening: Listening, seed: number): Promise<number> {
  const draw = chance(seed)
  const { lobby_id: lobbyId } = await makeLobby(service, studio)
  const [{ events, connections }] = await Promise.all([
    readAll(listening, studio, lobbyId, draw),
    change(service, studio, lobbyId, chance(seed ^ 0x5bd1e995)),
  ])
  const ids = events.map(({ id }) => Number(id))
  const first = ids[0] ?? 0
  expect(ids, `MATCHYARD_SEED=${seed}`).toEqual(ids.map((_, index) => first + index))
  const names = events.map(({ event }) => event)
  expect(names, `MATCHYARD_SEED=${seed}`).toEqual(['connected', ...names.slice(1).map(() => 'lobby_updated')])
  for (const { id, data } of events) expect(data.version, `MATCHYARD_SEED=${seed}`).toBe(Number(id))
  return connections
}

test(
  `${ROUNDS} streams that are cut again and again miss nothing and see nothing twice`,
  async () => {
    const service = await startService()
    const studio = await openStudio(service)
    await makeQueue(service, studio)
    const listening = await listen(service.app)
    let connections = 0
    for (let done = 0; done < ROUNDS; done += AT_ONCE) {
      const seeds = Array.from({ length: Math.min(AT_ONCE, ROUNDS - done) }, (_, index) => SEED + done + index)
      const counts = await Promise.all(seeds.map((seed) => round(service, studio, listening, seed)))
      connections += counts.reduce((sum, count) => sum + count, 0)
    }
    await listening.close()
    // Several connections for each stream prove that connections were cut.
    expect(connections).toBeGreaterThan(2 * ROUNDS)
  },
  Math.max(60_000, ROUNDS * 500),
)
