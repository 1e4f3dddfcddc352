import { beforeEach, expect } from 'vitest'
import { type Body, fault, outcome } from '../../src/conformance/client'
import { rule } from '../../src/conformance/rule'
import type { Studio } from '../../src/conformance/studio'
import { World } from '../../src/conformance/world'

let world: World
let studio: Studio
beforeEach(async () => {
  world = await World.open()
  studio = await world.studio()
})

const duel = (fields: object = {}) => ({ teams: 2, players_per_team: 1, ...fields })
const create = (matchmaking: object) =>
  studio.backend('POST /v1/queues', { queue_id: `q${world.clock.now()}`, name: 'Q', matchmaking })
/** Returns the players who are matched in one tick of a queue with these rules, given the players' states. */
async function matchedOf(rules: object[], states: Readonly<Record<string, object>>): Promise<string[]> {
  await studio.queue({ matchmaking: duel({ rules }) })
  const lobbies: Body[] = []
  for (const [player, state] of Object.entries(states)) {
    lobbies.push(await studio.queued(player, { state }))
    world.clock.advance(1_000)
  }
  await studio.tick()
  const seen = await Promise.all(lobbies.map((lobby) => studio.read(lobby)))
  return seen.filter(({ status }) => status !== 'in_queue').map(({ host_player_id: host }) => host)
}
const party = async (players: readonly string[], states: readonly object[] = []) => {
  const [host = 'ann', ...others] = players
  const lobby = await studio.lobby(host, { state: states[0] ?? {} })
  for (const [index, player] of others.entries()) {
    await studio.act(player, lobby, 'POST', '/join', { state: states[index + 1] ?? {} })
  }
  return studio.act(host, lobby, 'POST', '/queue')
}

rule('S-QUE-16', async () => {
  const composition = { team_composition: { red: { tank: 1 } } }
  for (const fields of [
    { teams: 2 },
    { players_per_team: 2 },
    { teams: 2, players_per_team: 2 },
    { max_size_difference: 0 },
  ]) {
    expect(outcome(await create({ ...composition, ...fields }))).toEqual([400, 'VALIDATION_FAILED'])
  }
  expect((await create(composition)).status).toBe(201)
})

rule('S-QUE-17', async () => {
  for (const field of ['teams', 'players_per_team']) {
    for (const value of [0, -1, 1.5, 'two']) {
      expect(fault(await create({ [field]: value }))).toBe(`matchmaking.${field}`)
    }
  }
  expect((await create({ teams: 1, players_per_team: 1 })).status).toBe(201)
})

rule('S-QUE-18', async () => {
  const rules = [
    { type: 'difference', field: 'mmr', max_difference: 100 },
    { type: 'equals', field: 'mode' },
    { type: 'region', min_overlap: 1 },
  ]
  const { body } = await create(duel({ rules }))
  expect(body.matchmaking.rules).toMatchObject(rules)
  for (const bad of [
    { type: 'magic' },
    { type: 'difference', field: 'mmr' },
    { type: 'difference', max_difference: 1 },
    { type: 'equals' },
    { type: 'equals', field: 'a', max_difference: 1 },
  ]) {
    expect(fault(await create(duel({ rules: [bad] }))), JSON.stringify(bad)).toMatch(/^matchmaking\.rules\.0/)
  }
})

rule('S-QUE-19', async () => {
  const rules = [{ type: 'difference', field: 'mmr', max_difference: 100 }]
  expect(await matchedOf(rules, { ann: { mmr: 1_000 }, bob: { mmr: 1_101 }, cat: { mmr: 1_201 } })).toEqual([
    'bob',
    'cat',
  ])
})

rule('S-QUE-20', async () => {
  const rules = [{ type: 'equals', field: 'mode' }]
  expect(await matchedOf(rules, { ann: { mode: 1 }, bob: { mode: '1' }, cat: { mode: 1 } })).toEqual(['ann', 'cat'])
})

rule('S-QUE-21', async () => {
  const rules = [{ type: 'region', min_overlap: 2 }]
  const states = {
    ann: { regions: ['fra', 'ams', 'lhr'] },
    bob: { regions: ['fra', 'nrt', 'sin'] },
    cat: { regions: ['lhr', 'fra'] },
  }
  expect(await matchedOf(rules, states)).toEqual(['ann', 'cat'])
})

rule('C-5-21', async () => {
  await studio.build('v1')
  await studio.build('v2')
  await studio.queue({ matchmaking: duel({ use_version_from_state: true, allowed_versions: ['v1'] }) })
  expect((await party(['ann'], [{ game_version: 'v1' }])).status).toBe(200)
  const refused = await party(['bob'], [{ game_version: 'v2' }])
  expect([outcome(refused), refused.body.details.rule]).toEqual([[409, 'PARTY_CANNOT_MATCH'], 'version'])
})

rule('C-5-22', async () => {
  await studio.build('v1')
  await studio.build('v2')
  await studio.queue({ server_settings: {}, matchmaking: duel({ use_version_from_state: true }) })
  const old = await studio.queued('old', { state: { game_version: 'v1' } })
  const lobbies = [
    await studio.queued('ann', { state: { game_version: 'v2' } }),
    await studio.queued('bob', { state: { game_version: 'v2' } }),
  ]
  await studio.tick()
  await world.settle()
  expect((await studio.read(old)).status).toBe('in_queue')
  const { server } = await studio.read(lobbies[0])
  expect((await studio.backend(`GET /v1/servers/${server.instance_id}`)).body.version_tag).toBe('v2')
  expect(outcome(await party(['cat'], [{}]))).toEqual([409, 'PARTY_CANNOT_MATCH'])
  expect(outcome(await party(['dan'], [{ game_version: 'v3' }]))).toEqual([409, 'BUILD_NOT_READY'])
})

rule('C-5-24', async () => {
  await studio.queue({ matchmaking: { team_composition: { red: { tank: 1, healer: 1 }, blue: { boss: 1 } } } })
  const lobbies = []
  for (const [player, role] of [
    ['ann', 'tank'],
    ['bob', 'boss'],
    ['cat', 'healer'],
  ] as const) {
    lobbies.push(await studio.queued(player, { state: { role } }))
  }
  await studio.tick()
  const { match_id: id } = await studio.read(lobbies[0])
  const { body } = await studio.backend(`GET /v1/matches/${id}`)
  const seats = body.teams.map((team: Body) => [
    team.name,
    team.players.map((player: Body) => `${player.player_id} ${player.role}`).sort(),
  ])
  expect(Object.fromEntries(seats)).toEqual({ red: ['ann tank', 'cat healer'], blue: ['bob boss'] })
})

rule('C-5-25', async () => {
  await studio.backend('POST /v1/queues', { queue_id: 'duel', name: 'Duel' })
  expect(outcome(await party(['ann']))).toEqual([409, 'MATCHMAKING_NOT_CONFIGURED'])
})

rule('C-5-26', async () => {
  await studio.queue({ matchmaking: { teams: 2, players_per_team: 3, max_party_size: 2 } })
  expect((await party(['a1', 'a2'])).status).toBe(200)
  expect(outcome(await party(['b1', 'b2', 'b3']))).toEqual([409, 'PARTY_TOO_LARGE'])
  await studio.backend('PATCH /v1/queues/duel', { matchmaking: { teams: 2, players_per_team: 2 } })
  expect(outcome(await party(['c1', 'c2', 'c3']))).toEqual([409, 'PARTY_TOO_LARGE'])
})

rule('C-5-27', async () => {
  const team = { teams: 2, players_per_team: 2 }
  const refused = async (matchmaking: object, states: object[]) => {
    await studio.backend('PATCH /v1/queues/duel', { matchmaking })
    const answer = await party(['ann', 'bob'], states)
    expect(outcome(answer)).toEqual([409, 'PARTY_CANNOT_MATCH'])
    return answer.body.details.rule
  }
  await studio.queue()
  const spread = { ...team, rules: [{ type: 'difference', field: 'mmr', max_difference: 10 }] }
  expect(await refused(spread, [{ mmr: 1 }, { mmr: 12 }])).toBe('difference')
  const versions = { ...team, use_version_from_state: true }
  expect(await refused(versions, [{ game_version: 'a' }, { game_version: 'b' }])).toBe('version')
  const roles = { team_composition: { red: { medic: 1, tank: 1 }, blue: { medic: 1, tank: 1 } } }
  expect(await refused(roles, [{ role: 'medic' }, { role: 'medic' }])).toBe('roles')
})

rule('C-5-28', async () => {
  for (const fields of [
    { rules: [{ type: 'region', min_overlap: 0 }] },
    { rules: [{ type: 'difference', field: 'mmr', max_difference: -1 }] },
    { min_teams: 3 },
    { players_per_team: 2, min_players_per_team: 3 },
  ]) {
    expect(outcome(await create(duel(fields))), JSON.stringify(fields)).toEqual([400, 'VALIDATION_FAILED'])
  }
  for (const count of [0, -1]) {
    expect(outcome(await create({ team_composition: { red: { tank: count } } }))).toEqual([400, 'VALIDATION_FAILED'])
  }
})

rule('C-5-29', async () => {
  const expanding = (max: number) => [
    { type: 'difference', field: 'mmr', max_difference: 10, expansions: [{ after_seconds: 20, max_difference: max }] },
  ]
  expect(outcome(await create(duel({ rules: expanding(5) })))).toEqual([400, 'VALIDATION_FAILED'])
  expect(await matchedOf(expanding(100), { ann: { mmr: 1 }, bob: { mmr: 50 } })).toEqual([])
  await world.wait(20)
  await studio.tick()
  const { body } = await studio.backend('GET /v1/lobbies?status=matched')
  expect(body.total).toBe(2)
})
