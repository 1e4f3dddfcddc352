import fc from 'fast-check'
import { predictWin, rate } from 'openskill'
import * as library from 'openskill/models'
import { describe, expect, it } from 'vitest'
import { amendedSkill } from '../../src/rating/amend'
import { boardPlace } from '../../src/rating/board'
import { bucketOf, calibrationOf, sumsOf } from '../../src/rating/calibration'
import { winProbabilities } from '../../src/rating/predict'
import { optionsOf, type RankedTeam, rateMatch } from '../../src/rating/rate-match'
import { RATING_DEFAULTS, RATING_MODELS } from '../../src/rating/rating'
import { carriedSkill } from '../../src/rating/season'

const models = { ...library }
const model = fc.constantFrom(...RATING_MODELS)
const params = fc.record({
  beta: fc.double({ min: 0.5, max: 20, noNaN: true }),
  tau: fc.double({ min: 0, max: 1, noNaN: true }),
  limitSigma: fc.boolean(),
})
const skill = fc.record({
  mu: fc.double({ min: -20, max: 80, noNaN: true }),
  sigma: fc.double({ min: 0.5, max: 10, noNaN: true }),
})
const teamsOf = (left: fc.Arbitrary<boolean>) =>
  fc.array(
    fc.record({
      rank: fc.integer({ min: 1, max: 5 }),
      players: fc.array(
        fc.tuple(skill, left).map(([one, leaves]) => ({ ...one, left: leaves })),
        { minLength: 1, maxLength: 4 },
      ),
    }),
    { minLength: 2, maxLength: 5 },
  )
const plain = (teams: readonly RankedTeam[]) =>
  teams.map(({ players }) => players.map(({ mu, sigma }) => ({ mu, sigma })))

describe('rating a match', () => {
  it('gives what the library gives by itself, to the last digit, in 10,000 matches', () => {
    fc.assert(
      fc.property(model, params, teamsOf(fc.constant(false)), (name, settings, teams) => {
        const rank = teams.map((team) => team.rank)
        const alone = rate(plain(teams), { ...settings, model: models[name], rank })
        expect(rateMatch({ model: name, params: settings }, teams)).toEqual(alone)
      }),
      { numRuns: 10_000 },
    )
  })

  it('takes a player who left from a match that their team alone lost, and nobody else', () => {
    fc.assert(
      fc.property(model, params, teamsOf(fc.boolean()), (name, settings, teams) => {
        const rating = { model: name, params: settings }
        const usual = rate(plain(teams), { ...optionsOf(rating), rank: teams.map(({ rank }) => rank) })
        const after = rateMatch(rating, teams)
        teams.forEach(({ players }, at) => {
          const rank = teams.map((team, index) => (index === at ? 99 : team.rank))
          const last = rate(plain(teams), { ...optionsOf(rating), rank })
          players.forEach(({ left }, player) => {
            expect(after[at]?.[player]).toEqual((left ? last : usual)[at]?.[player])
          })
        })
      }),
    )
  })

  it('keeps a skill that the library cannot compute', () => {
    const far = [10_000, -10_000].map((mu, at) => ({ rank: at + 1, players: [{ mu, sigma: 0.001 }] }))
    const rating = { ...RATING_DEFAULTS, params: { beta: 0.001, tau: 0, limitSigma: false } }
    expect(rateMatch(rating, far)).toEqual(plain(far))
  })
})

describe('the prediction', () => {
  it('is the one of the library for skills in its unit, for all teams together 1, and none for a single team', () => {
    fc.assert(
      fc.property(params, teamsOf(fc.constant(false)), (settings, teams) => {
        const rating = { model: 'plackettLuce', params: settings } as const
        const unit = teams.length === 2 ? 1.702 : 1
        const inUnit = plain(teams).map((team) => team.map(({ mu, sigma }) => ({ mu: mu / unit, sigma })))
        const chances = winProbabilities(rating, plain(teams)) ?? []
        expect(chances).toEqual(predictWin(inUnit, optionsOf(rating)))
        expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 6)
      }),
    )
    expect(winProbabilities(RATING_DEFAULTS, [[RATING_DEFAULTS.initial], []])).toBeUndefined()
  })

  it.each(['plackettLuce', 'bradleyTerryFull', 'bradleyTerryPart'] as const)(
    'of %s for two teams is within 0.01 of the probability for which the model learns skills',
    (model) => {
      const skill = fc.record({
        mu: fc.double({ min: 0, max: 50, noNaN: true }),
        sigma: fc.double({ min: 1, max: 9, noNaN: true }),
      })
      const team = fc.array(skill, { minLength: 1, maxLength: 5 })
      fc.assert(
        fc.property(team, team, (one, other) => {
          const sum = (of: (player: { mu: number; sigma: number }) => number, players: typeof one) =>
            players.reduce((total, player) => total + of(player), 0)
          const { beta } = RATING_DEFAULTS.params
          const width = Math.sqrt(2 * beta ** 2 + sum(({ sigma }) => sigma ** 2, [...one, ...other]))
          const apart = sum(({ mu }) => mu, one) - sum(({ mu }) => mu, other)
          const [chance = 0] = winProbabilities({ ...RATING_DEFAULTS, model }, [one, other]) ?? []
          expect(Math.abs(chance - 1 / (1 + Math.exp(-apart / width)))).toBeLessThan(0.01)
        }),
      )
    },
  )

  it('adds to the sums of the calibration what a removal takes out, and shares a win', () => {
    const team = fc.record({
      predicted: fc.double({ min: 0, max: 1, noNaN: true }),
      rank: fc.integer({ min: 1, max: 3 }),
    })
    fc.assert(
      fc.property(fc.array(team, { minLength: 2, maxLength: 6 }), (teams) => {
        const sums = sumsOf(teams)
        expect(sums.reduce((sum, { count }) => sum + count, 0)).toBe(teams.length)
        expect(sums.reduce((sum, { actual }) => sum + actual, 0) / 1e6).toBeCloseTo(1, 5)
        expect(teams.every(({ predicted }) => (sums[bucketOf(predicted)]?.count ?? 0) > 0)).toBe(true)
      }),
    )
    const { buckets } = calibrationOf(
      1,
      sumsOf([
        { predicted: 0.72, rank: 1 },
        { predicted: 1, rank: 1 },
      ]),
    )
    expect(buckets[7]).toEqual({ from: 0.7, to: 0.8, count: 1, predicted: 0.72, actual: 0.5 })
    expect(buckets[9]).toMatchObject({ count: 1, predicted: 1, actual: 0.5 })
    expect(buckets[0]).toEqual({ from: 0, to: 0.1, count: 0, predicted: null, actual: null })
  })
})

describe('an amendment', () => {
  const initial = { mu: 25, sigma: 8.333 }

  it('there and back changes nothing', () => {
    fc.assert(
      fc.property(teamsOf(fc.boolean()), teamsOf(fc.boolean()), (was, is) => {
        const before = was[0]?.players[0] ?? initial
        const change = (teams: readonly RankedTeam[]) => ({
          before,
          after: rateMatch(RATING_DEFAULTS, teams)[0]?.[0] ?? before,
        })
        const [first, second] = [change(was), { ...change(is), before }]
        // Without the upper bound, which loses what is above it.
        const unbounded = { mu: 25, sigma: Number.MAX_VALUE }
        const there = amendedSkill(first.after, first, second, unbounded)
        const back = amendedSkill(there, second, first, unbounded)
        expect(back.mu).toBeCloseTo(first.after.mu, 9)
        expect(back.sigma).toBeCloseTo(first.after.sigma, 9)
      }),
    )
  })

  it('keeps the uncertainty above 0 and at most that of a new player', () => {
    fc.assert(
      fc.property(skill, skill, skill, skill, (now, before, old, renewed) => {
        const { sigma } = amendedSkill(now, { before, after: old }, { before, after: renewed }, initial)
        expect(sigma > 0 && sigma <= initial.sigma).toBe(true)
      }),
    )
  })

  it('to a match that does not count takes its change out', () => {
    const before = { mu: 25, sigma: 8 }
    const after = { mu: 27, sigma: 6 }
    expect(amendedSkill(after, { before, after }, { before, after: before }, initial)).toEqual(before)
  })
})

describe('a new season', () => {
  it('moves a skill toward that of a new player, once for each season, in order', () => {
    const seasons = [0.5, 0, 1].map((keep, at) => ({ name: `${at}`, keep, startedAt: at }))
    const rating = { initial: { mu: 20, sigma: 8 }, seasons }
    const strong = { mu: 40, sigma: 2 }
    expect(carriedSkill({ ...rating, seasons: seasons.slice(0, 1) }, strong, 0)).toEqual({ mu: 30, sigma: 5 })
    expect(carriedSkill(rating, strong, 0)).toEqual(rating.initial)
    expect(carriedSkill(rating, strong, 2)).toEqual(strong)
    expect(carriedSkill(rating, strong, 3)).toEqual(strong)
  })
})

describe('the order of a leaderboard', () => {
  it('is mu - 3 sigma from high to low, then the id of the player by code units', () => {
    const one = fc.record({
      mu: fc.constantFrom(-30, -3, 0, -0, 3, 1e-300, 25, 1e9),
      sigma: fc.constantFrom(0, 1, 8.333),
      playerId: fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
    })
    fc.assert(
      fc.property(one, one, (a, b) => {
        const byRank = b.mu - 3 * b.sigma - (a.mu - 3 * a.sigma)
        const byId = a.playerId < b.playerId ? -1 : Number(a.playerId > b.playerId)
        const [x, y] = [boardPlace(a), boardPlace(b)]
        expect(x < y ? -1 : Number(x > y)).toBe(Math.sign(byRank) || byId)
      }),
    )
  })
})
