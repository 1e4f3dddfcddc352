import { generatedArrivals, play, scenarioOfQueue } from '../src/simulation/index'

/*
 * Measures the preview of the console for edited rules: 20,000 arrivals of one hour are played with the current rules and then with the
 * edited ones, on one core. `npm run bench -- replay`.
 */

const ARRIVALS = 20_000
const HOUR_SECONDS = 3_600

const mmr = { normal: { mean: 1_500, deviation: 300 }, min: 0 }
const regions = { some: { iad: 5, fra: 4, nrt: 2, syd: 1 }, count: { 1: 2, 2: 1 } }
const steps = (...differences: number[]) =>
  differences.map((max_difference, step) => ({ after_seconds: 10 * (step + 1), max_difference }))

const QUEUES = {
  '1v1 by rating': {
    fields: { mmr },
    sizes: { 1: 1 },
    current: { rules: [{ type: 'difference', field: 'mmr', max_difference: 50, expansions: steps(100, 200, 400) }] },
    edited: { rules: [{ type: 'difference', field: 'mmr', max_difference: 100, expansions: steps(200) }] },
  },
  '1v1, nobody relaxes': {
    fields: { mmr },
    sizes: { 1: 1 },
    current: { rules: [{ type: 'difference', field: 'mmr', max_difference: 2 }] },
    edited: { rules: [{ type: 'difference', field: 'mmr', max_difference: 5 }] },
  },
  '5v5 parties, rating and region': {
    fields: { mmr, regions },
    sizes: { 1: 6, 2: 3, 3: 1 },
    current: {
      players_per_team: 5,
      rules: [
        { type: 'difference', field: 'mmr', max_difference: 200, expansions: steps(400, 800) },
        { type: 'region' },
      ],
    },
    edited: {
      players_per_team: 5,
      rules: [{ type: 'difference', field: 'mmr', max_difference: 400 }, { type: 'region' }],
    },
  },
}

for (const [name, { fields, sizes, current, edited }] of Object.entries(QUEUES)) {
  const drawn = { rate: ARRIVALS / HOUR_SECONDS, parties: ARRIVALS, party_sizes: sizes, fields }
  const arrivals = [...generatedArrivals(drawn, 1)]
  const times: string[] = []
  let total = 0
  for (const [which, matchmaking] of Object.entries({ current, edited })) {
    const startedAt = performance.now()
    const outcome = await play(scenarioOfQueue(which, { matchmaking }, HOUR_SECONDS), arrivals)
    const ms = performance.now() - startedAt
    total += ms
    times.push(`${which} ${ms.toFixed(0)} ms (${(100 * (1 - outcome.unmatchedShare)).toFixed(1)} % matched)`)
  }
  console.log(`${name}: ${times.join(', ')}, both ${total.toFixed(0)} ms`)
}
