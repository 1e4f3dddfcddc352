import { matchmaking } from '@matchyard/http'
import { configOfQueue } from '@matchyard/matchmaking/simulation'
import { expect, it } from 'vitest'

/** All fields of a queue's matchmaking that the engine reads, with their names in the API. */
const EVERYTHING = {
  teams: 3,
  players_per_team: 4,
  min_teams: 2,
  min_players_per_team: 1,
  use_version_from_state: true,
  allowed_versions: ['v_1'],
  max_party_size: 2,
  partial_after: 7,
  expansion_age: 'newest',
  rules: [
    {
      type: 'difference',
      field: 'skill_rating',
      max_difference: 5,
      required: true,
      expansions: [
        { after_seconds: 5, max_difference: 10 },
        { after_seconds: 9, off: true },
      ],
    },
    { type: 'region', min_overlap: 2, expansions: [{ after_seconds: 5, min_overlap: 1 }] },
    { type: 'latency', field: 'pings', max_ms: 60, expansions: [{ after_seconds: 5, max_ms: 90 }] },
    { type: 'min', field: 'level', value: 3 },
  ],
}

it('a queue as the page has it is played as the command plays it', () => {
  const {
    timeoutSeconds: _,
    readyCheck: __,
    backfill: ___,
    ...decoded
  } = matchmaking.decode(
    matchmaking.body.parse({
      ...EVERYTHING,
      timeout: 30,
      ready_check: { timeout: 15 },
      backfill: { priority: 'before' },
    }),
  )
  const queue = {
    matchmaking: { ...EVERYTHING, timeout: 30, ready_check: { timeout: 15 }, backfill: { priority: 'before' } },
    server_settings: { region: 'fra' },
  }
  expect(configOfQueue(queue)).toEqual({ ...decoded, backfillPriority: 'before', serverRegion: 'fra' })
})

it('names that a developer chose stay as they are', () => {
  const composition = { team_a: { off_tank: 1 }, team_b: { off_tank: 1 } }
  const { teamComposition } = matchmaking.decode(matchmaking.body.parse({ team_composition: composition }))
  expect(configOfQueue({ matchmaking: { team_composition: composition } }).teamComposition).toEqual(teamComposition)
})
