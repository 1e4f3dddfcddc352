import { Game } from '../game'
import { requestOf } from '../load'
import { atLeast, count, median, ROUNDS, type Row } from '../row'
import { loaded, startColyseus, startOurs } from '../served'

const TARGET = 5
const WARM_UP = { calls: 2_000 }

/**
 * Compares joining over HTTP, durable on SQLite, with Colyseus' `joinOrCreate` over HTTP, which keeps everything in
 * memory.
 */
export async function joinBesideColyseus(): Promise<Row[]> {
  await using ours = await startOurs()
  const colyseus = await startColyseus()
  try {
    const game = await Game.of(ours)
    const seat = requestOf('POST', '/matchmake/joinOrCreate/duel', {}, JSON.stringify({ mmr: 1_500 }))
    await loaded(ours.served, game.work('create'), WARM_UP)
    await loaded(ours.served, game.work('join'), WARM_UP)
    await loaded(colyseus, () => seat, WARM_UP)
    const [mine, theirs]: [Awaited<ReturnType<typeof loaded>>[], Awaited<ReturnType<typeof loaded>>[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      game.nextRound()
      await loaded(ours.served, game.work('create'), WARM_UP)
      theirs.push(await loaded(colyseus, () => seat))
      mine.push(await loaded(ours.served, game.work('join')))
    }
    const rate = median(mine.map((own, round) => own.rate / (theirs[round]?.rate ?? Number.NaN)))
    const byCpu = median(mine.map((own, round) => (theirs[round]?.micros ?? Number.NaN) / own.micros))
    const said = (all: typeof mine) =>
      `${count(median(all.map((each) => each.rate)))}/s, ${median(all.map(({ micros }) => micros)).toFixed(0)} µs of CPU`
    return [
      {
        what: 'join over HTTP, SQLite, durable',
        ours: said(mine),
        beside: `Colyseus \`joinOrCreate\` over HTTP, in memory ${said(theirs)}`,
        ratio: `${rate.toFixed(1)} x (${byCpu.toFixed(1)} x by CPU)`,
        target: `≥ ${TARGET} x`,
        met: atLeast(TARGET, rate, byCpu),
      },
    ]
  } finally {
    await colyseus.stop()
  }
}
