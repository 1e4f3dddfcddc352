import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMatchyard, type JsonObject, type Matchyard } from '@matchyard/core'
import { createApp, type MatchyardApp } from '@matchyard/http'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import { type FakeClock, fakePlatform } from '@matchyard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

interface LobbyBody {
  readonly lobby_id: string
  readonly status: string
  readonly match_id: string | null
}
interface MatchBody {
  readonly teams: readonly {
    readonly name: string
    readonly players: readonly { readonly player_id: string; readonly role: string | null }[]
  }[]
}
type Party = Readonly<Record<string, JsonObject>>

/** Matchmaking with the fields of the specification's examples, over HTTP on a SQLite file, under a clock that only we move. */
describe('matchmaking over HTTP on SQLite', () => {
  let directory: string
  let matchyard: Matchyard
  let app: MatchyardApp
  let clock: FakeClock
  let keys: { client: string; server: string }
  let projectId: string

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'matchyard-matchmaking-'))
    const { logger: _, ...platform } = fakePlatform()
    clock = platform.clock
    matchyard = createMatchyard({ storage: sqliteStorage({ path: join(directory, 'matchyard.db') }), ...platform })
    await matchyard.open()
    const project = await matchyard.projects.ensure({ name: 'Arena' })
    projectId = project.id
    const owner = { accountId: project.accountId, projectId }
    const [client, server] = await Promise.all(
      (['client', 'server'] as const).map((type) => matchyard.keys.mint({ ...owner, type })),
    )
    keys = { client: client?.value ?? '', server: server?.value ?? '' }
    app = createApp(matchyard, { clock })
  })

  afterEach(async () => {
    await matchyard.stop()
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  async function call<T>(method: string, path: string, options: { player?: string; body?: unknown } = {}) {
    const headers: Record<string, string> = { 'api-key': options.player === undefined ? keys.server : keys.client }
    if (options.player !== undefined) headers['x-player-id'] = options.player
    if (options.body !== undefined) headers['content-type'] = 'application/json'
    const body = options.body === undefined ? {} : { body: JSON.stringify(options.body) }
    const answer = await app.request(path, { method, headers, ...body })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as T }
  }

  async function makeQueue(matchmaking: JsonObject, more: JsonObject = {}): Promise<void> {
    const body = { queue_id: 'ranked', name: 'Ranked', matchmaking, ...more }
    expect((await call('POST', '/v1/queues', { body })).status).toBe(201)
  }

  /** A lobby of these players with their states; the first is the host. */
  async function gather(party: Party): Promise<{ lobbyId: string; host: string }> {
    const [[host, state] = ['', {}], ...others] = Object.entries(party)
    const lobby = await call<LobbyBody>('POST', '/v1/lobbies', { player: host, body: { queue_id: 'ranked', state } })
    for (const [player, own] of others) {
      await call('POST', `/v1/lobbies/${lobby.body.lobby_id}/join`, { player, body: { state: own } })
    }
    return { lobbyId: lobby.body.lobby_id, host }
  }

  const enter = ({ lobbyId, host }: { lobbyId: string; host: string }) =>
    call<{ status: string; code?: string; details?: JsonObject }>('POST', `/v1/lobbies/${lobbyId}/queue`, {
      player: host,
    })

  async function queued(party: Party): Promise<string> {
    const lobby = await gather(party)
    expect((await enter(lobby)).status).toBe(200)
    return lobby.lobbyId
  }

  const tick = () => matchyard.matchmaking.runQueue(`${projectId}/ranked`)
  const lobbyOf = async (lobbyId: string) => (await call<LobbyBody>('GET', `/v1/lobbies/${lobbyId}`)).body

  /** Team name to its players and their roles. */
  async function teamsOf(lobbyId: string): Promise<Record<string, Record<string, string | null>>> {
    const { match_id: matchId } = await lobbyOf(lobbyId)
    const match = await call<MatchBody>('GET', `/v1/matches/${matchId}`)
    return Object.fromEntries(
      match.body.teams.map(({ name, players }) => [
        name,
        Object.fromEntries(players.map((player) => [player.player_id, player.role])),
      ]),
    )
  }

  it('pairs one against one by mmr, and leaves out who is too far away', async () => {
    await makeQueue({
      teams: 2,
      players_per_team: 1,
      rules: [{ type: 'difference', field: 'mmr', max_difference: 100 }],
    })
    const [ann, bob, cat] = [
      await queued({ ann: { mmr: 1500 } }),
      await queued({ bob: { mmr: 1650 } }),
      await queued({ cat: { mmr: 1580 } }),
    ]
    expect((await tick()).matches).toBe(1)
    expect(await teamsOf(ann)).toEqual({ team_1: { ann: null }, team_2: { cat: null } })
    expect(await lobbyOf(bob)).toMatchObject({ status: 'in_queue', match_id: null })
    expect((await lobbyOf(cat)).match_id).toBe((await lobbyOf(ann)).match_id)
  })

  it('keeps a party of two whole in two against two, beside two who came alone', async () => {
    await makeQueue({ teams: 2, players_per_team: 2 })
    const party = await queued({ ann: { team: 'red' }, ben: { team: 'red' } })
    await queued({ cat: {} })
    await queued({ dan: {} })
    expect((await tick()).matches).toBe(1)
    expect(await teamsOf(party)).toEqual({ team_1: { ann: null, ben: null }, team_2: { cat: null, dan: null } })
  })

  it('fills a monster against hunters and a medic, each in a role of theirs', async () => {
    await makeQueue({ team_composition: { monster: { monster: 1 }, hunters: { hunter: 3, medic: 1 } } })
    const monster = await queued({ mo: { role: 'monster' } })
    await queued({ h1: { role: 'hunter' }, h2: { roles: ['medic', 'hunter'] } })
    await queued({ h3: { role: 'hunter' } })
    expect((await tick()).matches).toBe(0)
    await queued({ h4: { role: 'hunter' } })
    expect((await tick()).matches).toBe(1)
    expect(await teamsOf(monster)).toEqual({
      monster: { mo: 'monster' },
      hunters: { h1: 'hunter', h2: 'medic', h3: 'hunter', h4: 'hunter' },
    })
  })

  it('starts with three teams of ten once the longest-waiting has waited', async () => {
    await makeQueue({ teams: 10, players_per_team: 1, min_teams: 3, partial_after: 5 })
    const lobbies = [await queued({ ann: {} }), await queued({ bob: {} }), await queued({ cat: {} })]
    expect((await tick()).matches).toBe(0)
    clock.advance(5_000)
    expect((await tick()).matches).toBe(1)
    expect(Object.keys(await teamsOf(lobbies[0] ?? ''))).toEqual(['team_1', 'team_2', 'team_3'])
  })

  it('refuses a lobby of one more than a party may have', async () => {
    await makeQueue({ teams: 2, players_per_team: 3, max_party_size: 2 })
    const refused = await enter(await gather({ ann: {}, ben: {}, cat: {} }))
    expect(refused).toMatchObject({ status: 409, body: { code: 'PARTY_TOO_LARGE' } })
  })

  it('never lets two versions meet, nor anybody in without one', async () => {
    await makeQueue({ teams: 2, players_per_team: 1, use_version_from_state: true })
    const old = await queued({ ann: { game_version: '1.4.0' } })
    await queued({ bob: { game_version: '1.5.0' } })
    expect((await tick()).matches).toBe(0)
    await queued({ cat: { game_version: '1.4.0' } })
    expect((await tick()).matches).toBe(1)
    expect(await teamsOf(old)).toEqual({ team_1: { ann: null }, team_2: { cat: null } })
    const refused = await enter(await gather({ dan: {} }))
    expect(refused).toMatchObject({ status: 409, body: { code: 'PARTY_CANNOT_MATCH', details: { rule: 'version' } } })
  })

  it('matches where regions overlap, and starts in a shared one', async () => {
    await makeQueue({ teams: 2, players_per_team: 1, rules: [{ type: 'region', min_overlap: 1 }] })
    const ann = await queued({ ann: { regions: ['ams', 'fra'] } })
    await queued({ bob: { regions: ['nrt'] } })
    await queued({ cat: { regions: ['lhr', 'fra'] } })
    expect((await tick()).matches).toBe(1)
    const { match_id: matchId } = await lobbyOf(ann)
    expect((await call('GET', `/v1/matches/${matchId}`)).body).toMatchObject({ region: 'fra' })
  })

  it('returns a lobby to waiting at its timeout, and at a cancel', async () => {
    await makeQueue({ teams: 2, players_per_team: 1, timeout: 30 }, { timeout: 60 })
    const ann = await queued({ ann: {} })
    clock.advance(29_999)
    await matchyard.worker.runDueJobs()
    expect((await lobbyOf(ann)).status).toBe('in_queue')
    clock.advance(1)
    await matchyard.worker.runDueJobs()
    expect((await lobbyOf(ann)).status).toBe('waiting')
    const bob = await queued({ bob: {} })
    expect((await call('DELETE', `/v1/lobbies/${bob}/queue`, { player: 'bob' })).body).toMatchObject({
      status: 'waiting',
    })
    await queued({ cat: {} })
    expect((await tick()).matches).toBe(0)
  })
})
