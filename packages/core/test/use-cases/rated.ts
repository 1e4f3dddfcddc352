import { createMatchyard, type RatedOutcome, type RatingWish } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { expect } from 'vitest'
import { Draft } from '../../src/commit/draft'
import { rateResult } from '../../src/commit/rate-result'
import type { Match } from '../../src/match/match'
import type { Ports } from '../../src/ports/ports'
import { requireRating } from '../../src/reads/standings'

type Counted = Pick<Match, 'teams' | 'counted'>

const player = (playerId: string) => ({ playerId, lobbyId: 'lob', role: null, state: {}, leftAt: null })

/** Returns a match of teams `a`, `b`, … with these players. */
export const matchOf = (...teams: readonly (readonly string[])[]): Counted => ({
  teams: teams.map((players, index) => ({ name: 'abcd'[index] ?? '', players: players.map(player) })),
})

/** Returns a result in which the teams have these ranks. */
export const ranked = (...ranks: readonly number[]): RatedOutcome => ({
  teams: ranks.map((rank, index) => ({ name: 'abcd'[index] ?? '', rank })),
  completed: true,
})

export const UNFINISHED: RatedOutcome = { ...ranked(1, 1), completed: false }

/** Returns a service with the rating `ranked` and the queue `duel`, which has it. `play` counts a result of a match by itself. */
export async function ratedArena(wish: Partial<RatingWish> = {}) {
  const clock = new FakeClock()
  const storage = memoryStorage()
  const platform = fakePlatform({ clock, seed: 1 })
  const matchyard = createMatchyard({ ...platform, storage, orchestrator: new FakeOrchestrator(clock) })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  const rating = { projectId, ratingId: 'ranked' }
  await matchyard.ratings.set({ ...rating, name: 'Ranked', placementMatches: 0, ...wish })
  const matchmaking = { teams: 2, playersPerTeam: 1 }
  await matchyard.queues.create({
    projectId,
    queueId: 'duel',
    name: 'Duel',
    rating: 'ranked',
    maxPlayers: 4,
    matchmaking,
  })
  const ctx = { ...platform, storage } as unknown as Ports
  let commits = 0
  const draftOf = async (match: Counted, after: RatedOutcome, before?: RatedOutcome) => {
    const draft = new Draft(clock.now())
    const found = await requireRating(ctx, projectId, 'ranked')
    const counted = await rateResult(ctx, draft, { match, before, after, rating: found })
    return { draft, counted }
  }
  const commit = async (draft: Draft) => storage.commit(draft.toCommit(`com_${++commits}`))
  /** Commits a result, and returns the match as it is counted then. */
  const play = async (match: Counted, after: RatedOutcome, before?: RatedOutcome): Promise<Counted> => {
    const { draft, counted } = await draftOf(match, after, before)
    expect(await commit(draft)).toEqual({ ok: true })
    return { ...match, ...(counted === undefined ? {} : { counted }) }
  }
  const standing = async (playerId: string) => {
    const { data } = await matchyard.ratings.ofPlayer({ projectId, playerId })
    return data[0]
  }
  const board = (query: object = {}) => matchyard.ratings.leaderboard({ ...rating, ...query })
  const onBoard = async (query: object = {}) => (await board(query)).data.map(({ playerId }) => playerId)
  const settle = async () => {
    while ((await matchyard.worker.runDueJobs()) > 0);
  }
  return { matchyard, storage, clock, projectId, rating, ctx, draftOf, commit, play, standing, board, onBoard, settle }
}
