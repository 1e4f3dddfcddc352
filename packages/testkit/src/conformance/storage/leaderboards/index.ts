import assert from 'node:assert/strict'
import type { Standing } from '@matchyard/core'
import fc from 'fast-check'
import type { StorageHarness, StorageUnderTest } from '../harness'
import { League, PLAYERS, RATING_ID } from './league'

type Step = (league: League) => Promise<void>

const player = fc.constantFrom(...PLAYERS)
const side = fc.nat({ max: 1 })
const placementMatches = fc.constantFrom(0, 1, 2, 3, 100)

const play = fc.tuple(fc.uniqueArray(player, { minLength: 2, maxLength: 2 }), side).map(
  ([players, winner]): Step =>
    (league) =>
      league.play(players, winner),
)
const others: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.nat(), side, fc.boolean()).map(
    ([pick, winner, completed]): Step =>
      (league) =>
        league.amend(pick, winner, completed),
  ),
  fc.constantFrom(0, 0.5, 1).map(
    (keep): Step =>
      (league) =>
        league.startSeason(keep),
  ),
  player.map(
    (playerId): Step =>
      (league) =>
        league.erase(playerId),
  ),
  placementMatches.map(
    (matches): Step =>
      (league) =>
        league.place(matches),
  ),
)
const step = fc.oneof({ arbitrary: play, weight: 3 }, { arbitrary: others, weight: 2 })

/**
 * Asserts that the leaderboards of a rating equal those of a plain model after random results, amendments, seasons, erasures and changes of
 * `placementMatches`.
 */
export async function leaderboardsFollowModel(harness: StorageHarness, { runs }: { readonly runs: number }) {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const subject = await harness.open()
      try {
        const league = await League.open(subject.storage)
        for (const next of steps) await next(league)
        await assertBoards(league, subject)
        // Nobody plays between the change and the reading.
        await league.place(1 + (league.placementMatches % 3))
        await assertBoards(league, subject)
        await league.matchyard.stop()
      } finally {
        await subject.dispose()
      }
    }),
    { numRuns: runs },
  )
}

async function assertBoards(league: League, { backDoor }: StorageUnderTest): Promise<void> {
  const stored = (await backDoor.entities('standing')).map(({ value }) => value)
  for (const [number, season] of league.seasons.entries()) {
    const played = stored.filter((one) => one.season === number && one.matches > 0)
    const counts = new Map(played.map(({ playerId, matches }) => [playerId, matches] as const))
    assert.deepEqual(inOrder(counts), inOrder(league.matchesIn(number)))
    for (const placement of [false, true]) {
      const isListed = (one: Standing) => one.matches < league.placementMatches === placement
      await assertBoard(league, { season, placement }, played.filter(isListed).sort(byBoard))
    }
  }
}

const inOrder = (counts: ReadonlyMap<string, number>) => [...counts].map(([id, count]) => `${id} ${count}`).sort()

const byBoard = (a: Standing, b: Standing) =>
  b.mu - 3 * b.sigma - (a.mu - 3 * a.sigma) || (a.playerId < b.playerId ? -1 : 1)

interface Board {
  readonly season: string
  readonly placement: boolean
}

/** Asserts that the pages of a leaderboard, and the part around each player, equal the expected standings. */
async function assertBoard(league: League, board: Board, standings: readonly Standing[]): Promise<void> {
  const { matchyard, projectId } = league
  const read = (parts: object) => matchyard.ratings.leaderboard({ projectId, ratingId: RATING_ID, ...board, ...parts })
  const expected = standings.map(({ playerId, mu, sigma, matches }, index) => {
    const rank = board.placement ? null : index + 1
    return { playerId, mu, sigma, matches, placed: !board.placement, rank }
  })
  const shown = async (parts: object) => {
    const { total, data, nextCursor } = await read(parts)
    assert.equal(total, expected.length)
    return {
      nextCursor,
      data: data.map(({ playerId, mu, sigma, matches, placed, rank }) => ({
        ...{ playerId, mu, sigma, matches, placed, rank },
      })),
    }
  }
  let cursor: string | null = null
  for (let at = 0; at === 0 || at < expected.length; at += 2) {
    const page = await shown({ limit: 2, ...(cursor === null ? {} : { cursor }) })
    assert.deepEqual(page.data, expected.slice(at, at + 2))
    assert.equal(page.nextCursor === null, at + 2 >= expected.length)
    cursor = page.nextCursor
  }
  for (const around of PLAYERS) {
    const isListed = expected.some(({ playerId }) => playerId === around)
    assert.deepEqual((await shown({ around })).data, isListed ? expected : [])
  }
}
