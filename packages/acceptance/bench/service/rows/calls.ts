import { type Amount, requestOf, runLoad, type Work } from '../load'
import { atLeast, count, median, ROUNDS, type Row, SECONDS } from '../row'
import { type Ours, type Served, startBare, startOurs } from '../served'

/** Create, join and read a lobby over HTTP beside a bare Hono: what of the speed of what it stands on the service leaves. */
export const callsOnSqlite = () => calls('SQLite', {}, { create: 0.35, join: 0.35, read: 0.6 })
export const callsOnMemory = () => calls('memory', { DATABASE_URL: 'memory:' }, { create: 0.5, join: 0.5, read: 0.65 })

type Call = 'create' | 'join' | 'read'
const CALLS: readonly Call[] = ['create', 'join', 'read']
const NAMES: Readonly<Record<Call, string>> = {
  create: '`POST /v1/lobbies`',
  join: 'join',
  read: '`GET /v1/lobbies/{id}`',
}
const QUEUE = 'calls'
/** Lobbies that are read in turn. */
const READ = 1_000
/** Calls of each kind before anything counts: by then both sides are compiled. */
const WARM_UP = { calls: 6_000 }

const CREATE_BODY = JSON.stringify({
  queue_id: QUEUE,
  name: 'A lobby',
  settings: { map: 'desert', mode: 'ranked', rounds: 5 },
  state: { mmr: 1_500, regions: ['fra', 'ams'] },
})
const JOIN_BODY = JSON.stringify({ state: { mmr: 1_500, regions: ['fra', 'ams'] } })

interface Figures {
  readonly rate: number[]
  readonly micros: number[]
}

async function calls(
  storage: string,
  env: Record<string, string>,
  targets: Readonly<Record<Call, number>>,
): Promise<Row[]> {
  await using ours = await startOurs(env)
  const game = await Game.of(ours)
  const bare = await startBare(await game.one())
  try {
    const empty = (): Record<Call, Figures> => ({
      create: { rate: [], micros: [] },
      join: { rate: [], micros: [] },
      read: { rate: [], micros: [] },
    })
    const [mine, theirs] = [empty(), empty()]
    for (const call of CALLS) {
      await loaded(bare, game.echo(call), WARM_UP)
      await loaded(ours.served, game.work(call), WARM_UP)
    }
    for (let round = 0; round < ROUNDS; round++) {
      game.nextRound()
      for (const call of CALLS) {
        const [beside, own] = [await loaded(bare, game.echo(call)), await loaded(ours.served, game.work(call))]
        for (const [all, figures] of [
          [theirs, beside],
          [mine, own],
        ] as const) {
          all[call].rate.push(figures.rate)
          all[call].micros.push(figures.micros)
        }
      }
    }
    return CALLS.map((call) => rowOf(`${NAMES[call]}, ${storage}`, mine[call], theirs[call], targets[call]))
  } finally {
    await bare.stop()
  }
}

async function loaded(
  server: Served,
  work: Work,
  amount: Amount = { seconds: SECONDS },
): Promise<{ rate: number; micros: number }> {
  const before = await server.cpuMicros()
  const { calls, seconds } = await runLoad(server.port, work, amount)
  return { rate: calls / seconds, micros: ((await server.cpuMicros()) - before) / calls }
}

function rowOf(what: string, ours: Figures, beside: Figures, target: number): Row {
  const said = ({ rate, micros }: Figures) => `${count(median(rate))}/s, ${median(micros).toFixed(0)} µs of CPU`
  // Of each round by itself: what else the machine did then weighed on both.
  const rate = median(ours.rate.map((value, round) => value / (beside.rate[round] ?? Number.NaN)))
  const byCpu = median(ours.micros.map((value, round) => (beside.micros[round] ?? Number.NaN) / value))
  return {
    what,
    ours: said(ours),
    beside: `bare Hono ${said(beside)}`,
    ratio: `${rate.toFixed(2)} (${byCpu.toFixed(2)} by CPU)`,
    target: `≥ ${target.toFixed(2)}`,
    met: atLeast(target, rate, byCpu),
  }
}

/** Players of one queue, each with a name of its own, and the lobbies that they make. */
class Game {
  private players = 0
  /** Made in this round and not joined yet. */
  private open: string[] = []
  private readonly read: string[] = []

  private constructor(private readonly key: string) {}

  static async of({ world }: Ours): Promise<Game> {
    const backend = world.client(world.credentials.server_key)
    const body = { queue_id: QUEUE, name: 'Calls', max_players: 8 }
    const { status } = await backend.call({ method: 'POST', path: '/v1/queues', body })
    if (status !== 201) throw new Error(`the queue was refused with ${status}`)
    const game = new Game(world.credentials.client_key)
    const port = Number(new URL(world.baseUrl).port)
    await runLoad(port, game.work('create'), { calls: READ })
    game.read.push(...game.open)
    game.nextRound()
    backend.close()
    game.first = await (
      await fetch(`${world.baseUrl}/v1/lobbies/${game.read[0]}`, { headers: { 'api-key': game.key } })
    ).text()
    return game
  }

  private first = ''

  /** What a reading of a lobby answers. */
  one = async () => this.first

  nextRound(): void {
    this.open = []
  }

  work(call: Call): Work {
    let turn = 0
    switch (call) {
      case 'create':
        return {
          next: () => requestOf('POST', '/v1/lobbies', this.headers(), CREATE_BODY),
          answered: (body) => void this.open.push(idIn(body)),
        }
      case 'join':
        return {
          next: () =>
            requestOf('POST', `/v1/lobbies/${this.open[turn++ % this.open.length]}/join`, this.headers(), JOIN_BODY),
        }
      case 'read':
        return { next: () => requestOf('GET', `/v1/lobbies/${this.read[turn++ % this.read.length]}`, this.headers()) }
    }
  }

  echo(call: Call): Work {
    const { key } = this
    const headers = { 'api-key': key, 'x-player-id': 'bob' }
    const request =
      call === 'read'
        ? requestOf('GET', '/echo', headers)
        : requestOf('POST', '/echo', headers, call === 'create' ? CREATE_BODY : JOIN_BODY)
    return { next: () => request }
  }

  private headers = () => ({ 'api-key': this.key, 'x-player-id': `p${this.players++}` })
}

function idIn(body: string): string {
  const id = /"lobby_id":"([^"]+)"/.exec(body)?.[1]
  if (id === undefined) throw new Error(`no lobby in ${body}`)
  return id
}
