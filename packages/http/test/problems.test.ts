import { beforeEach, describe, expect, test } from 'vitest'
import { type Service, startService } from './harness/service'
import { makeLobby, makeQueue, openStudio, type Studio } from './harness/studio'

// The problems of a project: docs/http-api.md §12.
let service: Service
let studio: Studio

beforeEach(async () => {
  service = await startService()
  studio = await openStudio(service)
})

/** Resolves to the problems of the project. Advances the time first, because an answer is shared for a few seconds. */
async function problems(key = studio.server) {
  service.clock.advance(3_000)
  const { status, body, text } = await service.call('GET /v1/problems', { key })
  if (status !== 200) throw new Error(text)
  return body.problems
}

describe('GET /v1/problems', () => {
  test('says of launches that fail by one cause how many they were, why, and what to do; of the queue that its build is missing', async () => {
    await makeQueue(service, studio, { server_settings: { version_tag: 'arenaa' } })
    for (const player of ['ann', 'bob', 'cara']) {
      const lobby = await makeLobby(service, studio, player)
      await service.call(`POST /v1/lobbies/${lobby.lobby_id}/start`, { key: studio.client, player })
      await service.settle()
    }
    const [launches, build, ...rest] = await problems()
    expect(rest).toEqual([])
    expect(launches).toEqual({
      id: expect.stringMatching(/^prb_/),
      ...{ opened_at: null, acknowledged: null, muted: null },
      code: 'launches_failed',
      severity: 'error',
      sentence:
        'duel: 3 launches failed in the last hour: no build named arenaa is ready. Upload a build with this name, or correct server_settings.version_tag of the queue.',
      subject: { kind: 'queue', id: 'duel' },
      since: expect.any(String),
      count: 3,
      details: {
        cause: 'no build named arenaa is ready',
        version_tag: 'arenaa',
        instance_ids: [expect.stringMatching(/^srv_/), expect.any(String), expect.any(String)],
      },
    })
    expect(build).toMatchObject({
      code: 'build_not_ready',
      sentence:
        'duel: no build named arenaa is ready, so matches of this queue get no server. Upload such a build, or correct server_settings.version_tag.',
      subject: { kind: 'queue', id: 'duel' },
      details: { version_tag: 'arenaa' },
    })
    const { body: stats } = await service.call('GET /v1/queues/duel/stats', { key: studio.server })
    expect(stats.exits_last_hour).toMatchObject({ build_missing: 3, match_ended: 0, timeout: 0 })
    service.clock.advance(3_600_000)
    expect(await problems()).toMatchObject([{ code: 'build_not_ready' }])
  })

  test('says who waits for long, and which rule keeps them', async () => {
    const rules = [
      { type: 'difference', field: 'mmr', max_difference: 10 },
      { type: 'equals', field: 'mode' },
    ]
    await makeQueue(service, studio, { matchmaking: { teams: 2, players_per_team: 1, rules } })
    for (let n = 0; n < 6; n++) {
      const lobby = await makeLobby(service, studio, `p${n}`, { state: { mmr: 1_000 * n, mode: 'duel' } })
      await service.call(`POST /v1/lobbies/${lobby.lobby_id}/queue`, { key: studio.client, player: `p${n}` })
    }
    expect(await problems()).toEqual([])
    service.clock.advance(61_000)
    expect(await problems()).toMatchObject([
      {
        code: 'players_wait',
        severity: 'warning',
        sentence:
          'duel: 6 players wait longer than 60 s; `mmr` rejects 100 % of the pairs. Widen the difference rule, or relax it sooner.',
        subject: { kind: 'queue', id: 'duel' },
        count: 6,
        details: { rule: { type: 'difference', field: 'mmr', rejected_share: 1 } },
      },
    ])
  })

  test('says how many are missing where every rule would let them through', async () => {
    await makeQueue(service, studio)
    const lobby = await makeLobby(service, studio)
    await service.call(`POST /v1/lobbies/${lobby.lobby_id}/queue`, { key: studio.client, player: 'ann' })
    service.clock.advance(61_000)
    const [wait] = await problems()
    expect(wait.sentence).toMatch(/^duel: 1 player waits longer than 60 s: 1 player too few for a match\. /)
  })

  test('says that sides would be too uneven', async () => {
    const shape = { teams: 2, players_per_team: 5, min_players_per_team: 1, max_size_difference: 0 }
    await makeQueue(service, studio, { max_players: 5, matchmaking: shape })
    const four = await makeLobby(service, studio, 'ann')
    for (const player of ['bob', 'cyd', 'dan']) {
      await service.call(`POST /v1/lobbies/${four.lobby_id}/join`, { key: studio.client, player })
    }
    const lobbies = [four, await makeLobby(service, studio, 'eve')]
    for (const [at, player] of ['ann', 'eve'].entries()) {
      await service.call(`POST /v1/lobbies/${lobbies[at]?.lobby_id}/queue`, { key: studio.client, player })
    }
    service.clock.advance(61_000)
    const { body: why } = await service.call(`GET /v1/lobbies/${four.lobby_id}/queue`, { key: studio.server })
    expect(why).toMatchObject({ fitting_all: 1, max_size_difference: 0 })
    const [wait] = await problems()
    expect(wait.sentence).toBe(
      'duel: 5 players wait longer than 60 s: team sizes would differ by more than 0 players. Raise max_size_difference, or limit the size of parties.',
    )
  })

  test('takes a session that names its project, and no client key; each sees its own', async () => {
    await makeQueue(service, studio, { server_settings: { version_tag: 'arenaa' } })
    const other = await openStudio(service)
    expect(await problems(other.server)).toEqual([])
    const bySession = (id: string, token = studio.token) => service.call(`GET /v1/problems?project_id=${id}`, { token })
    expect((await bySession(studio.projectId)).body.problems).toMatchObject([{ code: 'build_not_ready' }])
    expect((await bySession(studio.projectId, other.token)).status).toBe(404)
    expect((await service.call('GET /v1/problems', { token: studio.token })).status).toBe(400)
    expect((await service.call('GET /v1/problems', { key: studio.client })).status).toBe(403)
  })
})
