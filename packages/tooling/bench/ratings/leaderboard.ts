import type { ShownStanding } from '@matchyard/core'
import { boardPlace } from '@matchyard/core/ports'
import { type Arena, openArena, type StorageName, wantedStorages } from './arena'
import { writeStandings } from './standings'
import { ms, timed } from './timed'

/**
 * `npm run bench -- leaderboard [sqlite] [postgres]`: calls of a leaderboard of a million players. The storage's own commits write the
 * standings; the calls are those of the embeddable object. `cpu` is the processor time of this process and the database.
 */
const PLAYERS = Number(process.env.BENCH_PLAYERS ?? 1_000_000)
const CALLS = Number(process.env.BENCH_CALLS ?? 500)
const WARM_UP = 50
const TARGET_MS = 5
const PAGE = 50
const RATING_ID = 'ladder'

type Question = (arena: Arena, n: number) => Promise<readonly ShownStanding[]>

const board = async ({ matchyard, projectId }: Arena, parts: object) =>
  (await matchyard.ratings.leaderboard({ projectId, ratingId: RATING_ID, limit: PAGE, ...parts })).data

/** Standings at some places of the leaderboard, as cursors and players for the questions. */
interface Marks {
  readonly top: readonly ShownStanding[]
  readonly ranked: readonly ShownStanding[]
  readonly middle: readonly ShownStanding[]
  readonly bottom: readonly ShownStanding[]
}

const at = (standings: readonly ShownStanding[], n: number): ShownStanding => {
  const standing = standings[n % standings.length]
  if (standing === undefined) throw new Error('the leaderboard is empty')
  return standing
}

const questionsAt = ({ top, ranked, middle, bottom }: Marks): Readonly<Record<string, Question>> => ({
  'first page': (arena) => board(arena, {}),
  'first page of 100': (arena) => board(arena, { limit: 100 }),
  'page by cursor, last ranked places': (arena, n) => board(arena, { cursor: boardPlace(at(ranked, n)) }),
  'page by cursor, in the middle': (arena, n) => board(arena, { cursor: boardPlace(at(middle, n)) }),
  'page by cursor, at the bottom': (arena, n) => board(arena, { cursor: boardPlace(at(bottom, n)) }),
  'around a player at the top': (arena, n) => board(arena, { around: at(top, n).playerId }),
  'around a player of the last ranked places': (arena, n) => board(arena, { around: at(ranked, n).playerId }),
  'around a player in the middle': (arena, n) => board(arena, { around: at(middle, n).playerId }),
  'around a player at the bottom': (arena, n) => board(arena, { around: at(bottom, n).playerId }),
  'players in placement': (arena) => board(arena, { placement: true }),
  'ratings of a player in the middle': async ({ matchyard, projectId }, n) =>
    (await matchyard.ratings.ofPlayer({ projectId, playerId: at(middle, n).playerId })).data,
})

/** Reads pages by cursor from any place on. */
async function pagesFrom(arena: Arena, cursor: string | undefined, pages: number): Promise<ShownStanding[]> {
  const found: ShownStanding[] = []
  for (let page = 0, next = cursor; page < pages; page++) {
    const data = await board(arena, { limit: 100, ...(next === undefined ? {} : { cursor: next }) })
    const last = data.at(-1)
    found.push(...data)
    if (last === undefined) break
    next = boardPlace(last)
  }
  return found
}

const placeOf = (ordinal: number) => boardPlace({ mu: ordinal, sigma: 0, playerId: '!' })

async function marksOf(arena: Arena): Promise<Marks> {
  const [first, ordinals] = [await pagesFrom(arena, undefined, 100), [23, 2] as const]
  const [middle = [], bottom = []] = await Promise.all(
    ordinals.map((ordinal) => pagesFrom(arena, placeOf(ordinal), 20)),
  )
  return { top: first.slice(0, 100), ranked: first.slice(-200), middle, bottom }
}

async function measure(name: StorageName): Promise<void> {
  const arena = await openArena(name, [RATING_ID])
  try {
    const startedAt = performance.now()
    const { matchyard, projectId, ratings } = arena
    for (const rating of ratings) await writeStandings(arena, rating, PLAYERS)
    const { total } = await matchyard.ratings.leaderboard({ projectId, ratingId: RATING_ID })
    const seconds = (performance.now() - startedAt) / 1_000
    const written = `${PLAYERS.toLocaleString('en-US')} standings in ${seconds.toFixed(0)} s`
    console.log(`\n${name}: ${written}, ${total.toLocaleString('en-US')} of them listed; ms per call, ${CALLS} calls`)
    console.log('| call | p50 | p99 | cpu | target met |\n|---|---|---|---|---|')
    for (const [what, ask] of Object.entries(questionsAt(await marksOf(arena)))) {
      for (let n = 0; n < WARM_UP; n++) {
        if ((await ask(arena, n)).length === 0) throw new Error(`no answer to: ${what}`)
      }
      const { p50, p99, cpu } = await timed(arena, CALLS, (n) => ask(arena, n))
      console.log(`| ${what} | ${ms(p50)} | ${ms(p99)} | ${ms(cpu)} | ${metBy(p50, p99, cpu)} |`)
    }
  } finally {
    await arena.close()
  }
}

/** Other work of the machine makes the slowest calls slower, and does not change the processor time. */
const metBy = (p50: number, p99: number, cpu: number): string =>
  p99 <= TARGET_MS ? 'yes' : p50 <= TARGET_MS && cpu <= TARGET_MS ? 'by p50 and CPU' : 'NO'

for (const name of wantedStorages()) await measure(name)
