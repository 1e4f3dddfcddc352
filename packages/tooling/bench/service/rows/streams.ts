import { Readers } from '../readers'
import { atLeast, atMost, count, median, ROUNDS, type Row } from '../row'
import { type Ours, type Served, startOurs, startRawStreams } from '../served'

const QUEUE = 'watched'
const EVENTS = 40
const TARGET = 0.95
const IDLE = 10_000
const IDLE_BYTES = 10 * 1024
const STATE = { filler: 'x'.repeat(550) }

/** Compares sending a lobby of 1 KB to its readers with a raw `node:http` loop that writes the same bytes. */
export async function fanOut(): Promise<Row[]> {
  const rows: Row[] = []
  for (const readers of [1_000, 5_000]) rows.push(await fannedOut(readers))
  return rows
}

interface Watched {
  readonly ours: Ours
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Changes the lobby and returns it. */
  change(n: number): Promise<object>
}

async function watchedLobby(): Promise<Watched> {
  const ours = await startOurs()
  const { world } = ours
  const backend = world.client(world.credentials.server_key)
  await backend.call({ method: 'POST', path: '/v1/queues', body: { queue_id: QUEUE, name: 'Watched' } })
  const body = { queue_id: QUEUE, state: STATE }
  const made = await backend.call<{ lobby_id: string }>({ method: 'POST', path: '/v1/lobbies', player: 'ann', body })
  const lobby = `/v1/lobbies/${made.body.lobby_id}`
  return {
    ours,
    path: `${lobby}/events`,
    headers: { 'api-key': world.credentials.client_key, 'x-player-id': 'ann' },
    async change(n) {
      const change = { method: 'PATCH', path: `${lobby}/players/ann`, player: 'ann', body: { state: { ...STATE, n } } }
      const { status } = await backend.call(change)
      if (status >= 300) throw new Error(`a change was refused with ${status}`)
      return (await backend.call({ method: 'GET', path: lobby })).body
    },
  }
}

async function fannedOut(count_: number): Promise<Row> {
  const watched = await watchedLobby()
  const raw = await startRawStreams()
  const body = JSON.stringify(await watched.change(0))
  let n = 0
  const publish = {
    ours: () => watched.change(++n),
    raw: () => fetch(`http://127.0.0.1:${raw.port}/`, { method: 'POST', body }).then((answer) => answer.text()),
  }
  const measure = async (side: 'ours' | 'raw') => {
    const server: Served = side === 'ours' ? watched.ours.served : raw
    const readers = new Readers()
    await readers.open(server.port, watched.path, watched.headers, count_)
    // The service sends `retry` and the current lobby first; the raw loop sends only `retry`.
    await readers.until(count_ * (side === 'ours' ? 2 : 1))
    const before = { at: performance.now(), cpu: await server.cpuMicros(), frames: readers.frames }
    for (let event = 1; event <= EVENTS; event++) {
      await publish[side]()
      await readers.until(before.frames + event * count_)
    }
    const messages = EVENTS * count_
    const perSecond = messages / ((performance.now() - before.at) / 1_000)
    const micros = ((await server.cpuMicros()) - before.cpu) / messages
    readers.close()
    return { perSecond, micros }
  }
  try {
    const [mine, theirs]: [{ perSecond: number; micros: number }[], { perSecond: number; micros: number }[]] = [[], []]
    // The first round is the warm-up.
    for (let round = 0; round <= ROUNDS; round++) {
      const [beside, own] = [await measure('raw'), await measure('ours')]
      if (round === 0) continue
      theirs.push(beside)
      mine.push(own)
    }
    const rate = median(mine.map((own, round) => own.perSecond / (theirs[round]?.perSecond ?? Number.NaN)))
    const byCpu = median(mine.map((own, round) => (theirs[round]?.micros ?? Number.NaN) / own.micros))
    const said = (all: typeof mine) =>
      `${count(median(all.map(({ perSecond }) => perSecond)))} messages/s, ${median(all.map(({ micros }) => micros)).toFixed(1)} µs of CPU each`
    return {
      what: `${body.length} bytes of lobby to ${count(count_)} streams`,
      ours: said(mine),
      beside: `raw \`node:http\` loop ${said(theirs)}`,
      ratio: `${rate.toFixed(2)} (${byCpu.toFixed(2)} by CPU)`,
      target: `≥ ${TARGET}`,
      met: atLeast(TARGET, rate, byCpu),
    }
  } finally {
    await raw.stop()
    await watched.ours[Symbol.asyncDispose]()
  }
}

/** Measures the memory of an idle stream in the service's process, after a garbage collection. */
export async function idleStreams(): Promise<Row[]> {
  const watched = await watchedLobby()
  const { served } = watched.ours
  const readers = new Readers()
  try {
    // The first streams grow structures that later streams reuse, so they are opened before the measurement.
    await readers.open(served.port, watched.path, watched.headers, IDLE / 10)
    const before = await served.memory()
    await readers.open(served.port, watched.path, watched.headers, IDLE)
    await readers.until((IDLE + IDLE / 10) * 2)
    const after = await served.memory()
    const each = (figure: 'rss' | 'heapUsed' | 'external') => (after[figure] - before[figure]) / IDLE
    const held = each('heapUsed') + each('external')
    return [
      {
        what: `${count(IDLE)} idle streams`,
        ours: `${count(each('rss'))} bytes resident each, ${count(held)} of them in V8's account`,
        beside: '–',
        ratio: '–',
        target: '≤ 10 kB each',
        met: atMost(IDLE_BYTES, each('rss')),
      },
    ]
  } finally {
    readers.close()
    await watched.ours[Symbol.asyncDispose]()
  }
}
