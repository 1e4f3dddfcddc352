import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { couldBeEven, trueChance } from '../../src/trial/chances'
import { trialFigures } from '../../src/trial/figures'
import type { TrialPlayer } from '../../src/trial/players'
import { readTrialQueue } from '../../src/trial/read-queue'
import { trialReport } from '../../src/trial/report'
import { playTrial } from '../../src/trial/run'
import { type TrialWords, trialSettings } from '../../src/trial/settings'

const settings = (words: Partial<TrialWords> = {}, queue?: Parameters<typeof trialSettings>[1]) =>
  trialSettings(
    { players: '12', matches: '40', 'season-every': '25', keep: '0.5', ...words } as unknown as TrialWords,
    queue,
  )

describe('a trial of a rating', () => {
  it('is the same for the same seed, and each match is in its figures once', async () => {
    const asked = settings()
    const [first, again] = [await playTrial(asked), await playTrial(asked)]
    expect(again).toEqual(first)
    expect(first.matches).toHaveLength(40)
    expect(first.players.reduce((sum, { played }) => sum + played, 0)).toBe(2 * 40)

    const other = await playTrial(settings({ seed: '2', matches: '10' }))
    expect(first.matches.slice(0, 10)).not.toEqual(other.matches)

    const figures = trialFigures(asked, first)
    expect(figures.correlation).toBeGreaterThan(0.5)
    expect(figures.matches).toBe(20)
    expect(figures.buckets.reduce((sum, { count }) => sum + count, 0)).toBe(2 * 20)
    const { excess, byCalibration, byNoise } = figures.brier
    expect(Number(byCalibration) + Number(byNoise)).toBeCloseTo(Number(excess), 12)
    expect(Number(byNoise)).toBeGreaterThanOrEqual(-1e-12)
    expect(figures.experience.reduce((sum, { matches }) => sum + matches, 0)).toBe(40)
    expect(figures.seasons).toMatchObject([{ season: 1, before: { matches: 25 }, after: { matches: 15 } }])
    const { predicted, possible, wherePossible } = figures.even
    expect(Number(wherePossible) * Number(possible)).toBeCloseTo(Number(predicted), 12)
    expect(trialReport(figures)).toMatch(/^plackettLuce, beta 4\.167, tau 0\.083, seed 1\n12 players, 1 against 1: 20/)
  })

  it('of a queue that lets nobody play stops, and says what to do', async () => {
    const matchmaking = { teams: 2, rules: [{ type: 'difference', field: 'mmr', maxDifference: 0 } as const] }
    await expect(playTrial(settings({}, { matchmaking, ratingField: 'mmr' }))).rejects.toThrow(
      /after \d+ matches: all 12 players wait, .* loosen a rule/,
    )
  })

  it.each([
    [{ players: '20001' }, '--players must be a whole number from 4 to 20000, not 20001'],
    [{ matches: '200001' }, '--matches must be a whole number from 10 to 200000, not 200001'],
    [{ 'season-every': undefined }, '--keep needs --season-every: the matches of a season'],
    [{ 'warm-up': '40' }, '--warm-up must be below the 40 matches, not 40; nothing would be measured'],
    [{ matches: '9000', 'season-every': '10' }, /more than 200 seasons/],
    [{ 'team-size': '5' }, '--players must be at least 20, twice the players of a match, not 12'],
    [{ tau: 'much' }, /params\.tau/],
    [{ seed: '' }, '--seed must be a whole number from 0 to 4294967295, not an empty text'],
    [{ model: 'elo' }, /must be one of plackettLuce/],
  ])('refuses %j with a sentence', async (words, message) => {
    await expect((async () => playTrial(settings(words as Partial<TrialWords>)))()).rejects.toThrow(message)
  })

  it('refuses figures of players whose searches ended', async () => {
    const rule = { type: 'difference', field: 'mmr', maxDifference: 1 } as const
    const matchmaking = {
      timeoutSeconds: 5,
      rules: [{ ...rule, expansions: [{ afterSeconds: 60, off: true as const }] }],
    }
    const asked = settings({ players: '40', rate: '1' }, { matchmaking, ratingField: 'mmr' })
    await expect(playTrial(asked)).rejects.toThrow(/a search ended without a match: play fewer --matches/)
  })

  it('reads a queue file without its timeout and ready check, and names the field of a fault', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'trial-')), 'queue.json')
    const write = (matchmaking: object) => writeFileSync(file, JSON.stringify({ queue_id: 'duel', matchmaking }))
    write({ teams: 2, timeout: 30, ready_check: { timeout: 10 }, players_per_team: 2 })
    expect(readTrialQueue(file)).toEqual({ matchmaking: { teams: 2, playersPerTeam: 2 }, ratingField: 'mmr' })
    write({ timeouts: 30 })
    expect(() => readTrialQueue(file)).toThrow(/queue\.json: matchmaking: .*timeouts/)
    rmSync(dirname(file), { recursive: true })
  })

  it('refuses a queue of three teams', () => {
    const queue = { matchmaking: { teams: 3 }, ratingField: 'mmr' }
    expect(() => settings({}, queue)).toThrow(/a queue of two teams, not 3/)
  })
})

describe('the chances of a trial', () => {
  const params = { beta: 4, tau: 0.1, limitSigma: false }
  const player = (mu: number, playerId = `${mu}`): TrialPlayer => ({
    ...{ playerId, skill: mu, lobbyId: '', rated: { mu, sigma: 1 }, enteredAt: 0, played: 0 },
  })
  const apart = 4 * Math.SQRT2

  it('follow the curve of the model at the true skills', () => {
    const teams = [
      [player(20 + apart), player(7)],
      [player(20), player(7, 'other')],
    ]
    const chance = (model: 'plackettLuce' | 'thurstoneMostellerPart') => trueChance({ model, params }, teams)
    expect(chance('plackettLuce')).toBeCloseTo(1 / (1 + Math.exp(-1)), 12)
    // The normal distribution at 1.
    expect(chance('thurstoneMostellerPart')).toBeCloseTo(0.8413447, 6)
  })

  it('are even for a player only if enough others of about the same rating wait', () => {
    const rating = { model: 'plackettLuce', params } as const
    const ann = player(25)
    expect(couldBeEven(rating, ann, [ann], 1)).toBe(false)
    expect(couldBeEven(rating, ann, [ann, player(40)], 1)).toBe(false)
    expect(couldBeEven(rating, ann, [ann, player(40), player(26)], 1)).toBe(true)
    const four = [ann, player(24), player(40), player(41)]
    expect(couldBeEven(rating, ann, four, 2)).toBe(true)
    expect(couldBeEven(rating, ann, four.slice(2), 2)).toBe(false)
  })
})
