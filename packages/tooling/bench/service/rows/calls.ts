import { CALLS, type Call, Game } from '../game'
import { atLeast, count, median, ROUNDS, type Row } from '../row'
import { loaded, startBare, startOurs } from '../served'

/**
 * Compares creating, joining and reading a lobby over HTTP with a bare Hono server: the ratio shows the cost of the
 * service on top of its framework.
 */
export const callsOnSqlite = () => calls('SQLite', {}, { create: 0.35, join: 0.35, read: 0.6 })
export const callsOnMemory = () => calls('memory', { DATABASE_URL: 'memory:' }, { create: 0.5, join: 0.5, read: 0.65 })

const NAMES: Readonly<Record<Call, string>> = {
  create: '`POST /v1/lobbies`',
  join: 'join',
  read: '`GET /v1/lobbies/{id}`',
}
/** Calls of each kind before the measurement, so that both sides are compiled. */
const WARM_UP = { calls: 6_000 }

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

function rowOf(what: string, ours: Figures, beside: Figures, target: number): Row {
  const said = ({ rate, micros }: Figures) => `${count(median(rate))}/s, ${median(micros).toFixed(0)} µs of CPU`
  // Ratios are taken within each round, because other work on the machine then affected both sides.
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
