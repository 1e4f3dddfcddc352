import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { plot } from '../../src/simulate/plot'
import { figuresOf, table } from '../../src/simulate/report'
import { runScenario } from '../../src/simulate/run'
import { readScenario } from '../../src/simulate/scenario'

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
    for (const name of ['ranked-1v1.json', 'ranked-1v1-wide.json'])
      expect(readScenario(join(examples, name)).timeoutSeconds).toBe(120)
  })
})
