import { expect, test } from 'vitest'
import { checkParty, type MatchmakingConfig, validateConfig } from '../src/index'

const paths = (config: MatchmakingConfig) => validateConfig(config).map((issue) => issue.path.join('.'))
const rule = { type: 'difference', field: 'mmr', maxDifference: 10 } as const
const player = (state: Record<string, unknown>, playerId = 'p') => ({ playerId, state })

test('good settings pass', () => {
  expect(paths({})).toEqual([])
  expect(
    paths({ teams: 20, playersPerTeam: 3, minTeams: 3, minPlayersPerTeam: 1, rules: [rule, { type: 'region' }] }),
  ).toEqual([])
  expect(paths({ teamComposition: { a: { x: 1 } }, expansionAge: 'newest', serverRegion: 'fra' })).toEqual([])
  expect(paths({ maxSizeDifference: 0 })).toEqual([])
  expect(paths({ maxSizeDifference: null, teamComposition: { a: { x: 1 } } })).toEqual([])
})

test('settings that cannot be are refused, each by its path', () => {
  expect(paths({ teams: 2, minTeams: 3 })).toEqual(['minTeams'])
  expect(paths({ playersPerTeam: 2, minPlayersPerTeam: 3 })).toEqual(['minPlayersPerTeam'])
  expect(paths({ teams: 0 })).toEqual(['teams'])
  expect(paths({ maxSizeDifference: 0.5 })).toEqual(['maxSizeDifference'])
  expect(paths({ maxSizeDifference: 0, teamComposition: { a: { x: 1 } } })).toEqual(['maxSizeDifference'])
  expect(paths({ teams: 2, teamComposition: { a: { x: 0 } } })).toEqual(['teams', 'teamComposition.a.x'])
  expect(paths({ rules: [{ ...rule, maxDifference: -1 }] })).toEqual(['rules.0.maxDifference'])
  expect(paths({ rules: [{ type: 'region', minOverlap: 0 }] })).toEqual(['rules.0.minOverlap'])
  expect(paths({ rules: [{ ...rule, expansions: [{ afterSeconds: 5, maxDifference: 9 }] }] })).toEqual([
    'rules.0.expansions.0',
  ])
  expect(paths({ rules: [{ ...rule, expansions: [{ afterSeconds: 5 }] }] })).toEqual(['rules.0.expansions.0'])
  expect(
    paths({
      rules: [
        {
          ...rule,
          expansions: [
            { afterSeconds: 5, off: true },
            { afterSeconds: 9, maxDifference: 50 },
          ],
        },
      ],
    }),
  ).toEqual(['rules.0.expansions.1'])
  expect(paths({ rules: [{ type: 'equals', field: '' }] })).toEqual(['rules.0.field'])
})

test('a party larger than the largest team is too large', () => {
  const two = [player({}, 'a'), player({}, 'b')]
  expect(checkParty({}, two)).toEqual({ ok: false, code: 'PARTY_TOO_LARGE', most: 1 })
  expect(checkParty({ playersPerTeam: 2 }, two)).toEqual({ ok: true })
  expect(checkParty({ playersPerTeam: 3, maxPartySize: 1 }, two)).toEqual({
    ok: false,
    code: 'PARTY_TOO_LARGE',
    most: 1,
  })
})

test('a party that breaks a rule by itself cannot match, unless a later step lets it', () => {
  const two = [player({ mmr: 0 }, 'a'), player({ mmr: 20 }, 'b')]
  const later = { ...rule, expansions: [{ afterSeconds: 60, maxDifference: 30 }] }
  expect(checkParty({ playersPerTeam: 2, rules: [rule] }, two)).toEqual({
    ok: false,
    code: 'PARTY_CANNOT_MATCH',
    rule: 'difference',
    field: 'mmr',
    values: [0, 20],
    bound: rule.maxDifference,
  })
  expect(checkParty({ playersPerTeam: 2, rules: [later] }, two)).toEqual({ ok: true })
})

test('required fields, versions and roles are refused by name, field and value; null is absent, an empty list is not', () => {
  const cannot = (fault: object) => ({ ok: false, code: 'PARTY_CANNOT_MATCH', ...fault })
  const required = (value: unknown) => checkParty({ rules: [{ ...rule, required: true }] }, [player({ mmr: value })])
  const wanted = { rule: 'difference', field: 'mmr', playerId: player({}).playerId, wants: 'a number' }
  expect(required(null)).toEqual(cannot({ ...wanted, values: [undefined] }))
  expect(required('1')).toEqual(cannot({ ...wanted, values: ['1'] }))
  const version = (value: unknown) => cannot({ rule: 'version', field: 'game_version', values: [value] })
  expect(checkParty({ useVersionFromState: true }, [player({})])).toEqual(version(undefined))
  expect(checkParty({ useVersionFromState: true, allowedVersions: ['b'] }, [player({ game_version: 'a' })])).toEqual(
    version('a'),
  )
  expect(checkParty({ rules: [{ type: 'region' }] }, [player({ regions: [] })])).toEqual(
    cannot({ rule: 'region', field: 'regions', values: [[]], bound: 1 }),
  )
  expect(checkParty({ rules: [{ type: 'region' }] }, [player({ regions: ['fra', 7] })])).toEqual({ ok: true })
  const composition = { teamComposition: { a: { medic: 1, hunter: 3 }, b: { monster: 1 } } }
  const medics = [player({ role: 'medic' }, 'x'), player({ role: 'medic' }, 'y')]
  expect(checkParty(composition, medics)).toEqual(cannot({ rule: 'roles', field: 'role', values: ['medic', 'medic'] }))
})
