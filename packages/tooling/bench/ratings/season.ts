import type { MatchOnServer } from '@matchyard/core'
import { type Arena, openArena, type StorageName, wantedStorages } from './arena'
import { playerOf, writeStandings } from './standings'
import { ms, percentile } from './timed'

/**
 * `npm run bench -- season [sqlite] [postgres]`: the cost of the first touches of a new season. Two ratings have the same number of
 * standings, and take turns. A season of the second one begins while its players play; no player plays twice. So each of its calls is the
 * first touch of a standing in the new season, and the calls of the first rating are the comparison. `cpu` is the time of the
 * processor for one player, from the lobby to the result, in this process and in the database.
 */
const STANDINGS = Number(process.env.BENCH_PLAYERS ?? 100_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 30)
/** Players of one round, and calls in progress. */
const IN_ROUND = 100
const AT_ONCE = 8
const WARM_UP = 5
const TARGET = 1.5
const [STEADY, RENEWED] = ['steady', 'renewed'] as const

type Call = 'create' | 'enter' | 'result' | 'ratings'
const CALLS: readonly Call[] = ['create', 'enter', 'result', 'ratings']

class Side {
  readonly times: Readonly<Record<Call, number[]>> = { create: [], enter: [], result: [], ratings: [] }
  cpu = 0
  private played = 0

  constructor(
    private readonly arena: Arena,
    private readonly queueId: string,
  ) {}

  /** Lets the next players find opponents and play. Calls `during` while they enter. */
  async round(during: () => Promise<unknown> = async () => {}): Promise<void> {
    const before = this.arena.used()
    const { matchyard, projectId } = this.arena
    const players = Array.from({ length: IN_ROUND }, () => playerOf(this.played++))
    await Promise.all([each(players, (playerId) => this.enter(playerId)), during()])
    await matchyard.matchmaking.runQueue(`${projectId}/${this.queueId}`)
    while ((await matchyard.worker.runDueJobs()) > 0);
    const { data } = await matchyard.matches.list({ projectId, status: 'running', limit: IN_ROUND })
    if (data.length !== IN_ROUND / 2) throw new Error(`${data.length} matches of ${IN_ROUND} players`)
    await each(data, (match) => this.end(match))
    await each(players, (playerId) => this.timed('ratings', () => matchyard.ratings.ofPlayer({ projectId, playerId })))
    this.cpu += this.arena.used() - before
  }

  forget(): void {
    for (const call of CALLS) this.times[call].length = 0
    this.cpu = 0
  }

  private async enter(playerId: string): Promise<void> {
    const [{ matchyard, projectId }, { queueId }] = [this.arena, this]
    const { id } = await this.timed('create', () => matchyard.lobbies.create({ projectId, queueId, playerId }))
    await this.timed('enter', () => matchyard.lobbies.enqueue({ projectId, lobbyId: id, playerId }))
  }

  private end({ match }: MatchOnServer): Promise<unknown> {
    const { matchyard, projectId } = this.arena
    const teams = match.teams.map(({ name }, index) => ({ name, rank: index + 1 }))
    const result = { projectId, matchId: match.id, teams, end: true }
    return this.timed('result', () => matchyard.matches.result(result))
  }

  private async timed<T>(call: Call, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const answer = await work()
    this.times[call].push(performance.now() - startedAt)
    return answer
  }
}

async function each<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  let next = 0
  const caller = async () => {
    while (next < all.length) await work(all[next++] as T)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, caller))
}

async function measure(name: StorageName): Promise<void> {
  const arena = await openArena(name, [STEADY, RENEWED])
  try {
    for (const rating of arena.ratings) await writeStandings(arena, rating, STANDINGS)
    const [steady, renewed] = [new Side(arena, STEADY), new Side(arena, RENEWED)]
    for (let round = 0; round < WARM_UP; round++) {
      for (const side of [steady, renewed]) await side.round()
    }
    for (const side of [steady, renewed]) side.forget()
    const { matchyard, projectId } = arena
    const season = { projectId, ratingId: RENEWED, name: 'Spring', keep: 0.5 }
    for (let round = 0; round < ROUNDS; round++) {
      await steady.round()
      await renewed.round(round === 0 ? () => matchyard.ratings.startSeason(season) : undefined)
    }
    await requireRenewed(arena)
    report(name, steady, renewed)
  } finally {
    await arena.close()
  }
}

/** Makes sure that what was measured are first touches: the players of the last rounds are on the board of the new season alone. */
async function requireRenewed({ matchyard, projectId }: Arena): Promise<void> {
  const board = { projectId, ratingId: RENEWED, placement: true }
  const { total } = await matchyard.ratings.leaderboard(board)
  if (total !== ROUNDS * IN_ROUND) throw new Error(`${total} players of the new season`)
}

function report(name: StorageName, steady: Side, renewed: Side): void {
  const standings = STANDINGS.toLocaleString('en-US')
  console.log(`\n${name}: ${standings} standings in each rating, ${ROUNDS * IN_ROUND} players; ms`)
  console.log('| call | p50, p99 | p50, p99 of first touches | ratio of p99 | target met |\n|---|---|---|---|---|')
  for (const call of CALLS) {
    const [[half, most], [halfAfter, mostAfter]] = [steady, renewed].map(({ times }) =>
      [0.5, 0.99].map((share) => percentile(times[call], share)),
    ) as [[number, number], [number, number]]
    const ratio = mostAfter / most
    const figures = `${ms(half)}, ${ms(most)} | ${ms(halfAfter)}, ${ms(mostAfter)} | ${ms(ratio)}`
    console.log(`| ${call} | ${figures} | ${ratio <= TARGET ? 'yes' : 'NO'} |`)
  }
  const [before, after] = [steady.cpu, renewed.cpu].map((cpu) => cpu / ROUNDS / IN_ROUND) as [number, number]
  console.log(`cpu for one player: ${ms(before)}, ${ms(after)}: ${ms(after / before)} x`)
}

for (const name of wantedStorages()) await measure(name)
