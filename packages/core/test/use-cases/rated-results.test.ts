import { StorageUnavailable } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { asPlayersSee } from '../../src/match/as-players-see'
import type { Match } from '../../src/match/match'
import { erased } from '../../src/match/roster'
import { rateMatch } from '../../src/rating/rate-match'
import { RATING_DEFAULTS } from '../../src/rating/rating'
import { matchOf, ranked, ratedArena, UNFINISHED } from './rated'

const { initial } = RATING_DEFAULTS
const duel = (first: number, second: number) =>
  rateMatch(RATING_DEFAULTS, [
    { rank: first, players: [initial] },
    { rank: second, players: [initial] },
  ]).flat()

describe('a result', () => {
  it('changes the standings of all players as the library computes it, and the calibration', async () => {
    const { play, standing, matchyard, rating } = await ratedArena()
    await play(matchOf(['ann'], ['bob']), ranked(1, 2))
    const [won, lost] = duel(1, 2)
    expect(await standing('ann')).toMatchObject({ ...won, matches: 1, placed: true, rank: 1, season: null })
    expect(await standing('bob')).toMatchObject({ ...lost, matches: 1, rank: 2 })
    const { matches, buckets } = await matchyard.ratings.calibration(rating)
    expect(matches).toBe(1)
    expect(buckets[5]).toMatchObject({ count: 2, predicted: 0.5, actual: 0.5 })
  })

  it('by scores counts as by ranks, and an unfinished one not at all', async () => {
    const { play, standing, matchyard, rating } = await ratedArena()
    const scores = {
      teams: [
        { name: 'a', score: -3 },
        { name: 'b', score: 7 },
      ],
      completed: true,
    }
    await play(matchOf(['ann'], ['bob']), scores)
    expect(await standing('bob')).toMatchObject(duel(1, 2)[0] ?? {})
    expect((await play(matchOf(['cid'], ['dee']), UNFINISHED)).counted).toBeUndefined()
    expect(await standing('cid')).toBeUndefined()
    expect((await play(matchOf(['eve', 'fay']), ranked(1))).counted).toBeUndefined()
    expect((await matchyard.ratings.calibration(rating)).matches).toBe(1)
  })

  it('takes a player who left as if their team alone was last, and others as they played', async () => {
    const { play, standing } = await ratedArena()
    const outcome = { ...ranked(1, 2), players: [{ playerId: 'ann', left: true }] }
    await play(matchOf(['ann', 'amy'], ['bob']), outcome)
    const teams = (rank: number) => [
      { rank, players: [initial, initial] },
      { rank: 2, players: [initial] },
    ]
    expect(await standing('ann')).toMatchObject(rateMatch(RATING_DEFAULTS, teams(3))[0]?.[0] ?? {})
    expect(await standing('amy')).toMatchObject(rateMatch(RATING_DEFAULTS, teams(1))[0]?.[0] ?? {})
    expect(await standing('bob')).toMatchObject(rateMatch(RATING_DEFAULTS, teams(1))[1]?.[0] ?? {})
  })

  it('counts once: of two commits on the same standings one fails, and counts on its second attempt', async () => {
    const { draftOf, commit, play, standing } = await ratedArena()
    const first = await draftOf(matchOf(['ann'], ['bob']), ranked(1, 2))
    const second = await draftOf(matchOf(['ann'], ['cid']), ranked(1, 2))
    expect(await commit(first.draft)).toEqual({ ok: true })
    expect(await commit(second.draft)).toMatchObject({ ok: false })
    await play(matchOf(['ann'], ['cid']), ranked(1, 2))
    expect(await standing('ann')).toMatchObject({ matches: 2 })
    expect(await standing('cid')).toMatchObject({ matches: 1 })
  })

  it('fails when the rating was changed meanwhile', async () => {
    const { draftOf, commit, matchyard, rating } = await ratedArena()
    const { draft } = await draftOf(matchOf(['ann'], ['bob']), ranked(1, 2))
    await matchyard.ratings.startSeason({ ...rating, name: 'Spring', keep: 1 })
    expect(await commit(draft)).toMatchObject({ ok: false })
  })

  it('is taken back as it was counted, also after the parameters of the rating changed', async () => {
    const { play, standing, matchyard, rating } = await ratedArena()
    const match = await play(matchOf(['ann'], ['bob']), ranked(1, 2))
    await matchyard.ratings.set({ ...rating, name: 'Ranked', params: { beta: 9, tau: 1, limitSigma: true } })
    await play(match, UNFINISHED, ranked(1, 2))
    const [ann, bob] = [await standing('ann'), await standing('bob')]
    for (const one of [ann, bob]) {
      expect(one?.mu).toBeCloseTo(initial.mu, 9)
      expect(one?.sigma).toBeCloseTo(initial.sigma, 9)
    }
  })

  it('leaves out an erased player, whose seat plays with the initial skill', async () => {
    const { play, standing } = await ratedArena()
    await play(matchOf(['ann', ''], ['bob']), ranked(1, 2))
    const teams = [
      { rank: 1, players: [initial, initial] },
      { rank: 2, players: [initial] },
    ]
    expect(await standing('bob')).toMatchObject(rateMatch(RATING_DEFAULTS, teams)[1]?.[0] ?? {})
    expect(await standing('')).toBeUndefined()
  })
})

describe('an amended result', () => {
  it('counts in place of the first, and a way back leaves what the first left', async () => {
    const { play, standing, matchyard, rating } = await ratedArena()
    const match = await play(matchOf(['ann'], ['bob']), ranked(1, 2))
    const before = await standing('ann')
    const amended = await play(match, ranked(2, 1), ranked(1, 2))
    const [won, lost] = duel(1, 2)
    expect((await standing('ann'))?.mu).toBeCloseTo(lost?.mu ?? 0, 9)
    expect((await standing('bob'))?.mu).toBeCloseTo(won?.mu ?? 0, 9)
    expect(await standing('bob')).toMatchObject({ matches: 1, rank: 1 })
    await play(amended, ranked(1, 2), ranked(2, 1))
    expect((await standing('ann'))?.mu).toBeCloseTo(before?.mu ?? 0, 9)
    expect((await standing('ann'))?.sigma).toBeCloseTo(before?.sigma ?? 0, 9)
    expect((await matchyard.ratings.calibration(rating)).buckets[5]).toMatchObject({ count: 2, actual: 0.5 })
  })

  it('to an unfinished match takes it out of standings, board and calibration, and back again', async () => {
    const { play, standing, board, matchyard, rating } = await ratedArena({ placementMatches: 1 })
    const match = await play(matchOf(['ann'], ['bob']), ranked(1, 2))
    expect((await board()).total).toBe(2)
    const out = await play(match, UNFINISHED, ranked(1, 2))
    expect(await standing('ann')).toMatchObject({ mu: 25, matches: 0, placed: false, rank: null })
    expect(await board()).toMatchObject({ total: 0, data: [] })
    expect(await matchyard.ratings.calibration(rating)).toMatchObject({ matches: 0 })
    await play(out, ranked(1, 2), UNFINISHED)
    expect((await standing('ann'))?.mu).toBeCloseTo(duel(1, 2)[0]?.mu ?? 0, 9)
    expect((await board()).total).toBe(2)
  })

  it('keeps what later matches changed', async () => {
    const { play, standing } = await ratedArena()
    const first = await play(matchOf(['ann'], ['bob']), ranked(1, 2))
    await play(matchOf(['ann'], ['cid']), ranked(1, 2))
    const before = await standing('ann')
    await play(first, ranked(2, 1), ranked(1, 2))
    const [won, lost] = duel(1, 2)
    expect((await standing('ann'))?.mu).toBeCloseTo((before?.mu ?? 0) + (lost?.mu ?? 0) - (won?.mu ?? 0), 9)
    expect(await standing('ann')).toMatchObject({ matches: 2 })
  })

  it('changes the season in which the match was counted', async () => {
    const { play, standing, board, matchyard, rating } = await ratedArena()
    await matchyard.ratings.startSeason({ ...rating, name: 'Spring', keep: 1 })
    const match = await play(matchOf(['ann'], ['bob']), ranked(1, 2))
    await matchyard.ratings.startSeason({ ...rating, name: 'Summer', keep: 0 })
    await play(matchOf(['ann'], ['cid']), ranked(1, 2))
    const summer = await standing('ann')
    await play(match, ranked(2, 1), ranked(1, 2))
    expect(await standing('ann')).toEqual(summer)
    const spring = (await board({ season: 'Spring' })).data.map(({ playerId, rank }) => [playerId, rank])
    expect(spring).toEqual([
      ['bob', 1],
      ['ann', 2],
    ])
  })
})

it('a match forgets an erased player also in what was counted, and players see nothing of it', async () => {
  const { play } = await ratedArena()
  const match = (await play(matchOf(['ann'], ['bob']), ranked(1, 2))) as Match
  const { counted } = erased(match, 'ann')
  expect(counted?.teams.map(({ players }) => players[0]?.playerId)).toEqual(['', 'bob'])
  expect(asPlayersSee(match)).not.toHaveProperty('counted')
})

it('a calibration that cannot be read is one refusal, and no rejection is left without a handler', async () => {
  const { matchyard, storage, rating } = await ratedArena()
  const left: unknown[] = []
  const note = (error: unknown) => left.push(error)
  process.on('unhandledRejection', note)
  Object.assign(storage.counters, { read: () => Promise.reject(new StorageUnavailable('gone')) })
  await expect(matchyard.ratings.calibration(rating)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(left).toEqual([])
})
