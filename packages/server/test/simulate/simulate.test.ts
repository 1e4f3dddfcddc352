import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RecordedArrivalJson, play as replay, replayedArrivals, spanOf } from '@matchyard/matchmaking/simulation'
import { afterAll, describe, expect, it } from 'vitest'
import { readRecording } from '../../src/simulate/arrivals'
import { plot } from '../../src/simulate/plot'
import { figuresOf, table } from '../../src/simulate/report'
import { runScenario } from '../../src/simulate/run'
import { readRules, readScenario } from '../../src/simulate/scenario'

const folder = mkdtempSync(join(tmpdir(), 'matchyard-simulate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))

const written = (name: string, value: unknown): string => {
  const file = join(folder, name)
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
  return file
}

const duel = (maxDifference: number, arrivals: unknown) => ({
  matchmaking: { players_per_team: 1, rules: [{ type: 'difference', field: 'mmr', max_difference: maxDifference }] },
  timeout: 30,
  arrivals,
})

const drawn = { rate: 5, parties: 500, fields: { mmr: { normal: { mean: 1500, deviation: 300 } } } }

describe('matchyard simulate', () => {
  it('gives the same figures for the same seed, and counts every party once', async () => {
    const file = written('narrow.json', duel(20, drawn))
    const [first, again] = [await runScenario(readScenario(file)), await runScenario(readScenario(file))]
    expect(figuresOf(first)).toEqual(figuresOf(again))
    expect(first.parties).toBe(500)
    expect(first.matchedPlayers).toBe(2 * first.matches)
    expect(first.unmatchedShare).toBeCloseTo(1 - first.matchedPlayers / 500)
    expect(first.spread.mmr?.p90).toBeLessThanOrEqual(20)
  })

  it('shows what a wider rule buys: shorter waits for a larger spread', async () => {
    const narrow = await runScenario(readScenario(written('narrow.json', duel(20, drawn))))
    const wide = await runScenario(readScenario(written('wide.json', duel(400, drawn))))
    expect(wide.waitSeconds.p90 ?? 0).toBeLessThan(narrow.waitSeconds.p90 ?? 0)
    expect(wide.spread.mmr?.mean ?? 0).toBeGreaterThan(narrow.spread.mmr?.mean ?? 0)
    expect(table([narrow, wide])).toMatch(/wait p90 +[\d.]+ s +[\d.]+ s/)
    expect(plot([narrow, wide])).toMatch(/^<svg[\s\S]*<polyline points="\d/)
  })

  it('plays a recorded file: waits are those of the file, and timeouts are honoured', async () => {
    const lines = [
      { at: 0, players: [{ state: { mmr: 1000 } }] },
      { at: 10, players: [{ state: { mmr: 1010 } }] },
      { at: 11, players: [{ state: { mmr: 2000 } }] },
      { at: 60, players: [{ state: { mmr: 2000 } }] },
    ]
    const recorded = written('arrivals.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))
    const outcome = await runScenario(readScenario(written('recorded.json', duel(20, { file: recorded }))))
    expect(outcome).toMatchObject({ parties: 4, matches: 1, unmatchedShare: 0.5 })
    expect(outcome.waitSeconds.p99).toBeCloseTo(10.05)
  })

  const live = (matchmaking: object, live: object, parties = 2_000) => ({
    ...duel(400, { ...drawn, parties }),
    matchmaking: { ...duel(400, drawn).matchmaking, ...matchmaking },
    live,
  })
  const play = (name: string, value: unknown) => runScenario(readScenario(written(name, value)))
  const asks = { ready_check: { timeout: 15 } }

  it('asks the players: of two of whom one in ten declines, a fifth of the proposals come to nothing', async () => {
    const outcome = await play('declines.json', live(asks, { decline: 0.1 }))
    const { proposals = 0, accepted = 0, declined = 0, expired, partiesLeft } = outcome.readyCheck ?? {}
    expect(accepted / proposals).toBeGreaterThan(0.76)
    expect(accepted / proposals).toBeLessThan(0.86)
    expect([accepted, expired, partiesLeft]).toEqual([outcome.matches, 0, declined])
    expect(accepted + declined).toBe(proposals)
    // A party without a match left the queue by its answer, or waited in vain.
    expect(outcome.matchedPlayers).toBe(2 * accepted)
    expect(outcome.parties - outcome.matchedPlayers).toBeGreaterThanOrEqual(declined)
  })

  it('sends the silent away at the end of the ready check, and nobody else', async () => {
    const all = await play('silent.json', live(asks, { silent: 1 }, 100))
    const { proposals = 0 } = all.readyCheck ?? {}
    expect(all.readyCheck).toMatchObject({ accepted: 0, declined: 0, expired: proposals, partiesLeft: 2 * proposals })
    expect(proposals).toBeGreaterThan(45)
    expect(all.unmatchedShare).toBe(1)
    const nobody = await play('willing.json', live(asks, {}))
    const without = await play('without.json', live({}, {}))
    expect(nobody.readyCheck?.accepted).toBe(nobody.matches)
    expect(nobody.matchedPlayers).toBe(without.matchedPlayers)
    expect(nobody.waitSeconds.p50 ?? 0).toBeGreaterThan(without.waitSeconds.p50 ?? 0)
  })

  it('fills the seats that players leave, where the queue asks by itself', async () => {
    const leaves = { match_seconds: 60, leave: 0.5 }
    const filled = await play('filled.json', live({ backfill: { automatic: true, priority: 'before' } }, leaves))
    const { lostPlayer = 0, seatsAsked, seatsFilled = 0 } = filled.played ?? {}
    expect(lostPlayer / filled.matches).toBeGreaterThan(0.4)
    expect(seatsAsked).toBe(lostPlayer)
    expect(seatsFilled / lostPlayer).toBeGreaterThan(0.8)
    expect(filled.matchedPlayers).toBe(2 * filled.matches + seatsFilled)
    const nobodyAsked = await play('short.json', live({}, leaves))
    expect(nobodyAsked.played).toMatchObject({ seatsAsked: 0, seatsFilled: 0 })
    expect(table([filled])).toMatch(/seats filled +\d+\.\d+ %/)
  })

  it('lets matches wait for room, the oldest first, and no longer than they may', async () => {
    // With 2.5 matches per second of 20 s each, 50 matches run at once.
    const enough = await play('roomy.json', live({}, { match_seconds: 20, capacity: 100 }))
    expect(enough.played).toMatchObject({ waitedForRoom: 0, failedForRoom: 0 })
    const tight = await play('tight.json', live({}, { match_seconds: 20, capacity: 40 }))
    expect(tight.played?.waitedForRoom).toBeGreaterThan(100)
    const hopeless = await play('hopeless.json', live({}, { match_seconds: 20, capacity: 4, capacity_timeout: 30 }))
    expect(hopeless.played?.failedForRoom).toBeGreaterThan(tight.played?.failedForRoom ?? 0)
    expect(hopeless.played?.roomWaitSeconds.p90).toBeLessThanOrEqual(30)
  })

  it.each([
    [{ decline: 0.6, silent: 0.6 }, /more than everybody/],
    [{ capacity: 3 }, /match_seconds/],
    [{ leave: 1.5 }, /leave/],
  ])('refuses the life %j', (what, message) => {
    expect(() => readScenario(written('life.json', live({}, what)))).toThrow(message)
  })

  it.each([
    ['no-rate.json', { matchmaking: {}, arrivals: { parties: 1 } }, /arrivals/],
    ['tightens.json', { matchmaking: { min_teams: 3, teams: 2 }, arrivals: drawn }, /minTeams|min_teams/],
    ['unknown.json', { matchmaking: {}, arrivals: drawn, colour: 'red' }, /colour/],
    ['broken.json', '{"matchmaking":', /broken\.json/],
  ])('names what is wrong with %s', (name, value, message) => {
    expect(() => readScenario(written(name, value))).toThrow(message)
  })

  it('names the line of a recorded file that is no arrival', async () => {
    const recorded = written('bad.jsonl', '{"at":0,"players":[{}]}\n{"at":"soon"}\n')
    const scenario = readScenario(written('bad.json', duel(20, { file: recorded })))
    await expect(runScenario(scenario)).rejects.toThrow(/bad\.jsonl:2/)
  })

  it('keeps the examples working', () => {
    const examples = fileURLToPath(new URL('../../../../examples/simulate-a-queue', import.meta.url))
    for (const name of ['ranked-1v1.json', 'ranked-1v1-wide.json', 'asked-2v2.json'])
      expect(readScenario(join(examples, name)).timeoutSeconds).toBe(120)
  })

  const hour = (count: number): RecordedArrivalJson[] =>
    Array.from({ length: count }, (_, n) => ({
      arrival_id: `arr_${n}`,
      entered_at: new Date(Date.UTC(2026, 5, 1) + n * 500).toISOString(),
      outcome: n % 50 === 7 ? 'cancelled' : 'matched',
      wait_seconds: n % 50 === 7 ? 3 : 1,
      region: null,
      players: [{ player_id: `p${n}`, state: { mmr: 1000 + ((n * 7919) % 1000) } }],
    }))

  it('plays recorded arrivals, by a scenario or by a queue as the API tells it, with the same figures', async () => {
    const matchmaking = duel(60, drawn).matchmaking
    const queue = { queue_id: 'duel', name: 'Duel', timeout: 30, matchmaking, server_settings: { region: 'fra' } }
    const lines = [
      { data: hour(600).slice(0, 250), next_cursor: 'x' },
      { data: hour(600).slice(250), next_cursor: null },
    ]
    const { arrivals } = readRecording(written('pages.jsonl', lines.map((line) => JSON.stringify(line)).join('\n')))
    expect(arrivals).toHaveLength(600)
    const tickets = replayedArrivals(arrivals)
    const byQueue = await replay(readRules(written('queue.json', queue), spanOf(tickets)), tickets)
    const scenario = { matchmaking, timeout: 30, server_region: 'fra', arrivals: drawn }
    const byScenario = await replay(readRules(written('as-scenario.json', scenario), spanOf(tickets)), tickets)
    expect({ ...byQueue, scenario: '' }).toEqual({ ...byScenario, scenario: '' })
    expect(byQueue).toMatchObject({ parties: 600 })
    expect(byQueue.unmatched.parties).toBe(Math.round(600 * byQueue.unmatchedShare))
    expect(table([byQueue])).toContain('unmatched parties')
  })

  it('lets those go who gave up, and says of the others what stood in their way', async () => {
    const tickets = replayedArrivals(hour(400))
    const rules = readRules(written('tight.json', { ...duel(1, drawn), timeout: 20 }), spanOf(tickets))
    const { unmatched, parties, matchedPlayers } = await replay(rules, tickets)
    expect(unmatched.parties).toBe(parties - matchedPlayers)
    expect(unmatched.gaveUp).toBeGreaterThan(0)
    expect(unmatched.reasons[0]).toMatchObject({ reason: 'rule', type: 'difference', field: 'mmr' })
    expect(unmatched.reasons[0]?.rejected).toBeGreaterThan(0.9)
    expect(unmatched.reasons.reduce((sum, { parties }) => sum + parties, 0)).toBe(unmatched.asked)
  })

  it('names what is wrong with rules and recordings', () => {
    const wrong = { queue_id: 'q', matchmaking: { rules: [{ type: 'difference', field: 'mmr' }] } }
    expect(() => readRules(written('wrong.json', wrong), 1)).toThrow(
      /wrong\.json: matchmaking\.rules\.0\.max_difference/,
    )
    const late = { queue_id: 'q', matchmaking: { min_teams: 3, teams: 2 } }
    expect(() => readRules(written('late.json', late), 1)).toThrow(/late\.json: matchmaking\.minTeams/)
    expect(() => readRecording(written('none.json', [{ arrival_id: 1 }]))).toThrow(/none\.json: arrival 1/)
  })
})
