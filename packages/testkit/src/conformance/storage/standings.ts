import assert from 'node:assert/strict'
import { type BoardQuery, boardPlace, isOnBoard } from '@matchyard/core/ports'
import { apply, idsOf, next, remove, store } from './changes'
import { area } from './harness'
import { aStanding, PROJECT_ID } from './samples'

const it = area('lists')

/** Numbers of matches that `placementMatches` can be, or around such numbers. */
const MATCHES = [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 19, 20, 21, 49, 50, 51, 52, 98, 99, 100, 101, 500]
const LIMITS = [1, 2, 5, 6, 10, 15, 20, 50, 51, 99, 100]

export const standingCases = [
  it('of standings are in the order of the leaderboard, and go on from any place', async ({ storage }) => {
    // Code units: U+FF5E is after the surrogates of U+1F600, although its code point is lower.
    const ids = ['ann', 'bob', '\u{1f600}', '\uff5e']
    const ranked = [
      ...ids.map((playerId) => aStanding({ playerId, mu: 30, sigma: 1 })),
      aStanding({ playerId: 'zoe', mu: 24, sigma: 8 }),
      aStanding({ playerId: 'yan', mu: 1, sigma: 8 }),
      aStanding({ playerId: 'xia', mu: -1, sigma: 8 }),
    ]
    const apart = [
      aStanding({ playerId: 'new', matches: 4 }),
      aStanding({ playerId: 'old', season: 1 }),
      aStanding({ playerId: 'none', matches: 0 }),
      aStanding({ playerId: 'other', ratingKey: 'prj_a/other@1' }),
    ]
    await store(storage, 'standing', ...[...ranked, ...apart].reverse())
    const board = { ratingKey: 'prj_a/ranked@1', season: 0, from: 5 }
    const place = (at: number) => boardPlace(ranked[at] ?? aStanding())
    const list = (parts: object) => storage.standings.list({ ...board, limit: 10, ...parts })
    assert.deepEqual(await list({}), ranked)
    assert.deepEqual(await list({ after: place(1), limit: 2 }), ranked.slice(2, 4))
    assert.deepEqual(await list({ from: 1, below: 5 }), apart.slice(0, 1))
    assert.deepEqual(await list({ season: 1 }), apart.slice(1, 2))
    assert.equal((await list({ maxBytes: 1 })).length, 1)
    const before = { ...board, place: place(3), limit: 2 }
    assert.deepEqual(await storage.standings.listBefore(before), [ranked[2], ranked[1]])
    assert.equal(await storage.standings.countBefore({ ...before, limit: 9 }), 3)
    assert.equal(await storage.standings.countBefore(before), 2)
    assert.equal(await storage.standings.countBefore({ ...before, place: place(0) }), 0)
  }),

  it('of standings follow each change, and are found by player and by rating', async ({ storage }) => {
    const [ann, bob] = [aStanding({ mu: 30 }), aStanding({ playerId: 'bob', mu: 29 })]
    const other = aStanding({ ratingKey: 'prj_a/other@1' })
    await store(storage, 'standing', ann, bob, other, aStanding({ projectId: 'prj_b', ratingKey: 'prj_b/ranked@1' }))
    const fallen = next(ann, { mu: 10 })
    await store(storage, 'standing', fallen)
    const board = { ratingKey: 'prj_a/ranked@1', season: 0, from: 5 }
    assert.deepEqual(await storage.standings.list({ ...board, limit: 9 }), [bob, fallen])
    assert.deepEqual(idsOf(await storage.standings.ofPlayer(PROJECT_ID, 'ann', 9)).sort(), [ann.id, other.id].sort())
    assert.equal((await storage.standings.ofPlayer(PROJECT_ID, 'ann', 1)).length, 1)
    assert.deepEqual(idsOf(await storage.standings.ofRating(board.ratingKey, 9)).sort(), [ann.id, bob.id].sort())
    await apply(storage, { writes: [remove('standing', fallen)] })
    assert.deepEqual(await storage.standings.list({ ...board, limit: 9 }), [bob])
  }),

  it('of standings hold exactly those of a range of matches, in one order', async ({ storage }) => {
    // Neighbours on a leaderboard have numbers of matches that are far from each other.
    const spread = (at: number) => (at * 11) % MATCHES.length
    const all = MATCHES.map((_, at) =>
      aStanding({ playerId: `p${at}`, mu: 90 - at, sigma: 1, matches: MATCHES[spread(at)] ?? 0 }),
    )
    await store(storage, 'standing', ...all, ...MATCHES.map((matches) => aStanding({ season: 1, matches })))
    const board = { ratingKey: 'prj_a/ranked@1', season: 0 }
    const queries: BoardQuery[] = LIMITS.flatMap((limit) => [
      { ...board, from: limit },
      { ...board, from: 1, below: limit },
    ])
    for (const query of queries) {
      const expected = all.filter((standing) => isOnBoard(query, standing))
      assert.deepEqual(await storage.standings.list({ ...query, limit: 100 }), expected, JSON.stringify(query))
      const at = expected.length >> 1
      const place = boardPlace(expected[at] ?? aStanding())
      const first = await storage.standings.list({ ...query, after: place, limit: 3 })
      assert.deepEqual(first, expected.slice(at + 1, at + 4))
      const before = await storage.standings.listBefore({ ...query, place, limit: 3 })
      assert.deepEqual(before, expected.slice(Math.max(0, at - 3), at).reverse())
      for (const limit of [2, 100])
        assert.equal(await storage.standings.countBefore({ ...query, place, limit }), Math.min(limit, at))
      const after = boardPlace(expected[0] ?? aStanding())
      const between = await storage.standings.countBefore({ ...query, after, place, limit: 100 })
      assert.equal(between, Math.max(0, at - 1))
    }
  }),
]
