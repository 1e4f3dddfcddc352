import { createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@matchyard/server/testing'
import { mintPlayerToken } from '@matchyard/testkit'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { Client } from '../../src/client'
import { eventually } from '../../src/eventually'
import { skipWithout } from '../../src/needs'
import { ServiceProcess } from '../../src/service-process'
import { Engine, newGame, PACKAGE, PROJECT, readmeBlocks, whyNoGodot } from './godot/project'
import { Puppet, Refusal } from './godot/puppet'
import { makeQueue } from './godot/queue'
import { type Fault, Unreliable } from './godot/unreliable'

interface MatchBody {
  readonly match_id: string
  readonly teams: readonly { readonly players: readonly { readonly player_id: string; readonly left_at?: string }[] }[]
}

const lacking = whyNoGodot()
const withGodot = (context: TestContext) => {
  if (lacking !== undefined) skipWithout(context, 'Godot', lacking)
}

describe('the Godot addon', () => {
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-godot-service-'))
  const stops: (() => Promise<void>)[] = []
  let port: number
  let service: ServiceProcess
  let backend: Client

  const start = async () => {
    service = await ServiceProcess.start(directory, port)
    backend = new Client(service.credentials.base_url, service.credentials.server_key)
  }
  const puppet = async (player: string, url = service.credentials.base_url) => {
    const made = await Puppet.start(url, service.credentials.client_key, player)
    stops.push(() => made.stop())
    return made
  }
  /** Queues a player, waits for the match, and joins the game server by UDP. */
  const join_ = async (one: Puppet, queueId: string) => {
    const found = await one.call('matchyard', 'play', queueId)
    const game = await one.call('found', 'endpoint', 'game')
    await one.call('puppet', 'say', game.host, game.port, `join ${game.join_token}`)
    return { found, game }
  }

  /** Adds an issuer of player tokens to the project. Returns a token of a player. */
  const tokenOf = async (playerId: string) => {
    const { base_url, email, password, project_id } = service.credentials
    const studio = new Client(base_url)
    const login = { method: 'POST', path: '/v1/auth/login', body: { email, password } }
    const { body: session } = await studio.call<{ token: string }>(login)
    const issuer = 'https://backend.example'
    const { body } = await studio.call<{ issuers: readonly { readonly secret: string }[] }>({
      ...{ method: 'PUT', path: `/v1/projects/${project_id}/player-auth` },
      headers: { authorization: `Bearer ${session.token}` },
      body: { mode: 'trusted', issuers: [{ issuer, generate_secret: true }] },
    })
    studio.close()
    return mintPlayerToken({ secret: body.issuers[0]?.secret ?? '', issuer, playerId })
  }

  beforeAll(async () => {
    if (lacking !== undefined) return
    port = await freePort()
    await start()
  })
  afterAll(async () => {
    if (lacking !== undefined) return
    for (const stop of stops) await stop()
    backend.close()
    await service.end('SIGINT')
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  it('plays a match from proposal to end, through a seat that is filled again and a service that is killed', {
    timeout: 180_000,
  }, async (context) => {
    withGodot(context)
    await makeQueue(backend, 'arena', { ready_check: { timeout: 60 } })
    const [ann, bob, cat] = await Promise.all(['ann', 'bob', 'cat'].map((player) => puppet(player)))
    if (ann === undefined || bob === undefined || cat === undefined) throw new Error('no puppets')

    const [{ found, game }] = await Promise.all([join_(ann, 'arena'), join_(bob, 'arena')])
    expect(ann.count('proposed')).toBe(1)
    await ann.signal('heard', (text) => text.startsWith('welcome ann'))
    await bob.signal('heard', (text) => text.startsWith('welcome bob'))
    const forged = `${game.join_token.slice(0, -4)}AAAA`
    await cat.call('puppet', 'say', game.host, game.port, `join ${forged}`)
    await cat.signal('heard', (text) => text === 'refused')

    backend.close()
    await service.end('SIGKILL')
    await ann.signal('connection_changed', (state) => state === 'reconnecting')
    // The service is down, so the game server repeats this report until the service is back.
    await bob.call('puppet', 'say', game.host, game.port, 'leave')
    const joining = join_(cat, 'arena')
    await start()
    await ann.signal('connection_changed', (state) => state === 'live')

    const { found: second } = await joining
    expect(second).toMatchObject({ match_id: found.match_id, team: (await bob.get('found', 'team')) as string })
    await ann.signal('heard', (text) => text.startsWith('welcome cat'))
    await ann.signal('heard', (text) => /^(ann, cat|cat, ann) play$/.test(text))
    await bob.signal('closed', (reason) => reason === 'deleted')
    const { body } = await backend.call<MatchBody>({ method: 'GET', path: `/v1/matches/${found.match_id}` })
    const present = body.teams.flatMap(({ players }) => players.filter(({ left_at }) => left_at === undefined))
    expect(present.map(({ player_id }) => player_id).sort()).toEqual(['ann', 'cat'])

    await cat.call('puppet', 'leave_at_end')
    await ann.call('puppet', 'say', game.host, game.port, 'over')
    for (const one of [ann, cat]) expect(await one.signal('ended')).toEqual(['match_ended'])
    await ann.signal('returned', ({ reason }) => reason === 'match_ended')
    expect(await cat.signal('closed')).toEqual(['left'])
    for (const one of [ann, bob, cat]) {
      const versions = one.told.filter(({ event }) => event === 'changed').map(({ values }) => values[0].version)
      expect(versions).toEqual([...new Set(versions)].sort((left, right) => left - right))
      expect(one.complaints).toEqual([])
    }
    expect([ann.count('in_game'), ann.count('ended')]).toEqual([1, 1])
  })

  it('runs as its README says, in twelve lines, and the game server of the README hears when it is to end', {
    timeout: 180_000,
  }, async (context) => {
    withGodot(context)
    await makeQueue(backend, 'readme')
    const [client = '', server] = readmeBlocks()
    expect(server).toBe(readFileSync(join(PROJECT, 'sample/server.gd'), 'utf8'))
    expect(client.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(12)
    const { base_url: url, client_key: key } = service.credentials
    const games = ['ann', 'bob'].map((player) => {
      const script = client
        .replace('http://127.0.0.1:8080', url)
        .replace('ck_live_…', key)
        .replace('"arena"', '"readme"')
      return new Engine(newGame(script.replace('"ann"', `"${player}"`)), {})
    })
    stops.push(...games.map((game) => () => game.stop()))
    for (const game of games) {
      await eventually(
        () => game.output,
        (text) => /^connect to 127\.0\.0\.1:\d+ with eyJ\w+/m.test(text),
        30_000,
      )
    }
    const servers = { method: 'GET', path: '/v1/servers?version_tag=readme' }
    const { data } = (await backend.call<{ data: { instance_id: string }[] }>(servers)).body
    const path = `/v1/servers/${data[0]?.instance_id}`
    await backend.call({ method: 'DELETE', path })
    const ended = await eventually(
      () => backend.call({ method: 'GET', path }),
      ({ body }) => body.status === 'stopped',
    )
    expect(ended.body).toMatchObject({ exit_code: 0 })
    for (const game of games) expect(game.complaints).toEqual([])
  })

  it('repeats what may pass with one key, so that nothing happens twice, and says the rest in the words of the service', async (context) => {
    withGodot(context)
    const faults: Record<string, readonly (Fault | undefined)[]> = {
      'POST /v1/lobbies': ['lost', 'busy', 'garbage'],
      'DELETE kick': ['lost'],
    }
    const proxy = await Unreliable.before(service.credentials.base_url, ({ method, path }, attempt) => {
      const name = method === 'DELETE' && path.includes('/players/') ? 'DELETE kick' : `${method} ${path}`
      return faults[name]?.[attempt - 1]
    })
    stops.push(async () => proxy.close())
    const dan = await puppet('dan', proxy.url)
    const lobby = await dan.call('matchyard', 'create_lobby', 'demo', { name: 'Dans Zuhause é', state: { mmr: 1500 } })
    expect(lobby.current).toMatchObject({ name: 'Dans Zuhause é', version: 1 })
    const attempts = proxy.seen.filter(({ method }) => method === 'POST')
    expect(attempts).toHaveLength(4)
    expect(new Set(attempts.map(({ key }) => key)).size).toBe(1)
    const mine = await backend.call({
      method: 'GET',
      path: '/v1/players/me/lobbies',
      key: service.credentials.client_key,
      player: 'dan',
    })
    expect(mine.body).toMatchObject({ total: 1 })

    await dan.call('puppet', 'wake')
    await backend.call({ method: 'POST', path: `/v1/lobbies/${lobby.lobby_id}/join`, player: 'eve' })
    await dan.signal('player_joined', ({ player_id }) => player_id === 'eve')
    expect(dan.count('player_joined')).toBe(1)
    expect(await dan.call('lobby', 'kick', 'eve')).toBeNull()
    await dan.signal('player_left', (player) => player === 'eve')
    await dan.call('lobby', 'ban', 'eve')
    const join = { method: 'POST', path: `/v1/lobbies/${lobby.lobby_id}/join`, player: 'eve' }
    expect((await backend.call(join)).body).toMatchObject({ code: 'PLAYER_BANNED' })
    expect(await dan.call('lobby', 'unban', 'eve')).toBeNull()
    expect((await backend.call(join)).status).toBe(200)
    expect(await dan.call('lobby', 'kick', 'eve')).toBeNull()
    expect(await dan.call('lobby', 'set_state', { role: 'tank' })).toMatchObject({ state: { mmr: 1500, role: 'tank' } })
    expect((await dan.call('lobby', 'set_settings', { map: 'x' })).settings).toEqual({ map: 'x' })

    const refused = await dan.call('matchyard', 'join_lobby', 'lob_nowhere').catch((error) => error)
    expect(refused).toBeInstanceOf(Refusal)
    expect(refused.fields).toMatchObject({ code: 'LOBBY_NOT_FOUND', number: 4001, status: 404 })
    expect(refused.fields.request_id).toMatch(/^req_/)
    expect(refused.fields.detail).toContain('lob_nowhere')

    expect((await dan.call('matchyard', 'resume_lobby')).lobby_id).toBe(lobby.lobby_id)
    expect(await dan.call('lobby', 'leave')).toBeNull()
    expect(await dan.signal('closed')).toEqual(['left'])
    expect(await dan.call('matchyard', 'resume_lobby')).toBeNull()
    expect(dan.complaints).toEqual([])
  })

  it('reads the ratings that the result of its game server changes, by player, as a leaderboard and around a player', {
    timeout: 120_000,
  }, async (context) => {
    withGodot(context)
    const rating = { name: 'Ranked', placement_matches: 0 }
    await backend.call({ method: 'PUT', path: '/v1/ratings/ranked', body: rating })
    await makeQueue(backend, 'ranked', {}, { rating: 'ranked' })
    const [liv, mia] = await Promise.all(['liv', 'mia'].map((player) => puppet(player)))
    if (liv === undefined || mia === undefined) throw new Error('no puppets')
    expect(await liv.call('ratings', 'of')).toEqual([])
    const [{ game }] = await Promise.all([join_(liv, 'ranked'), join_(mia, 'ranked')])
    await liv.signal('heard', (text) => text.startsWith('welcome liv'))
    await liv.call('puppet', 'say', game.host, game.port, 'won')
    for (const one of [liv, mia]) expect(await one.signal('ended')).toEqual(['match_ended'])

    const [best] = await mia.call('ratings', 'of', 'liv')
    expect(best).toMatchObject({
      player_id: 'liv',
      rating_id: 'ranked',
      season: null,
      matches: 1,
      placed: true,
      rank: 1,
    })
    const [mine] = await mia.call('ratings', 'of')
    expect(mine).toMatchObject({ player_id: 'mia', rank: 2 })
    expect(best.value).toBeGreaterThan(mine.value)
    const page = await mia.call('ratings', 'leaderboard', 'ranked', { limit: 1 })
    expect(page).toMatchObject({ total: 2, data: [best], next_cursor: expect.any(String) })
    const next = await mia.call('ratings', 'leaderboard', 'ranked', { limit: 1, cursor: page.next_cursor })
    expect(next.data).toEqual([mine])
    expect((await mia.call('ratings', 'leaderboard', 'ranked', { placement: true, season: '' })).data).toEqual([])
    expect(await mia.call('ratings', 'around', 'ranked')).toEqual([best, mine])
    const unknown = await mia.call('ratings', 'around', 'nowhere', 'liv').catch((error) => error)
    expect(unknown.fields).toMatchObject({ code: 'RATING_NOT_FOUND', status: 404 })
    // A player token names its player, so the client needs no id.
    const byToken = await puppet('')
    await byToken.call('matchyard', 'set', 'player_token', await tokenOf('liv'))
    expect(await byToken.call('ratings', 'of')).toEqual([best])
    expect(await byToken.call('ratings', 'around', 'ranked')).toEqual([best, mine])
    for (const one of [liv, mia, byToken]) expect(one.complaints).toEqual([])
  })

  it('ends a search that is cancelled, and says why', async (context) => {
    withGodot(context)
    await makeQueue(backend, 'alone')
    const fay = await puppet('fay')
    const searching = fay.call('matchyard', 'play', 'alone').catch((error) => error)
    await fay.signal('changed', ({ status }) => status === 'in_queue')
    expect((await fay.call('lobby', 'cancel')).status).toBe('waiting')
    expect((await searching).fields).toMatchObject({
      code: 'MATCHMAKING_ENDED',
      number: 0,
      details: { reason: 'cancelled' },
    })
    expect(await fay.signal('closed')).toEqual(['left'])
    expect(fay.complaints).toEqual([])
  })

  it('keeps a seat in a running match for a friend, who joins', async (context) => {
    withGodot(context)
    const matchmaking = { teams: 2, players_per_team: 2, min_players_per_team: 1, partial_after: 0, late_join: true }
    await backend.call({ method: 'POST', path: '/v1/queues', body: { queue_id: 'late', name: 'Late', matchmaking } })
    const [ida, jon, kim] = await Promise.all(['ida', 'jon', 'kim'].map((player) => puppet(player)))
    if (ida === undefined || jon === undefined || kim === undefined) throw new Error('no puppets')
    const [{ match_id }] = await Promise.all([ida, jon].map((one) => one.call('matchyard', 'play', 'late')))
    expect(await ida.call('found', 'keep_seat', 'lee')).toMatchObject({ player_id: 'lee' })
    expect(await ida.call('found', 'free_seat', 'lee')).toBeNull()
    expect(await ida.call('found', 'keep_seat', 'kim', { hold: 60 })).toMatchObject({ player_id: 'kim' })
    await kim.call('matchyard', 'create_lobby', 'late')
    expect(await kim.call('lobby', 'join_match', match_id)).toMatchObject({ match_id, team: expect.any(String) })
    const refused = await kim.call('found', 'free_seat', 'lee').catch((error) => error)
    expect(refused.fields).toMatchObject({ code: 'SEAT_NOT_FOUND' })
    expect([...ida.complaints, ...jon.complaints, ...kim.complaints]).toEqual([])
  })

  it('searches once in a queue, returns to the match after a restart, and leaves it for another', async (context) => {
    withGodot(context)
    for (const queue_id of ['pair', 'other_pair']) {
      const body = { queue_id, name: queue_id, matchmaking: { teams: 2, players_per_team: 1 } }
      await backend.call({ method: 'POST', path: '/v1/queues', body })
    }
    const [gil, hal, reloaded] = await Promise.all(['gil', 'hal', 'gil'].map((player) => puppet(player)))
    if (gil === undefined || hal === undefined || reloaded === undefined) throw new Error('no puppets')
    expect(await gil.call('matchyard', 'resume')).toBeNull()
    const plays = [gil, gil, hal].map((one) => one.call('matchyard', 'play', 'pair'))
    const [first, second] = await Promise.all(plays)
    const { match_id } = first
    const again = await gil.call('matchyard', 'play', 'pair')
    const resumed = await gil.call('matchyard', 'resume')
    expect([second, again, resumed].map((found) => found.match_id)).toEqual([match_id, match_id, match_id])
    expect(gil.count('lobby_opened')).toBe(1)

    const refused = await reloaded.call('matchyard', 'play', 'other_pair').catch((error) => error)
    expect(refused.fields).toMatchObject({ code: 'PLAYER_IN_MATCH', match_id })
    expect(await reloaded.call('matchyard', 'resume')).toMatchObject({ match_id })
    const other = reloaded.call('matchyard', 'play', 'other_pair', { leave_other: true })
    await gil.signal('ended')
    await hal.call('lobby', 'leave')
    const theirs = await hal.call('matchyard', 'play', 'other_pair')
    expect(await other).toMatchObject({ match_id: theirs.match_id })
    for (const one of [gil, hal, reloaded]) expect(one.complaints).toEqual([])
  })

  it('lets in by join token whom the service sends, and nobody else', async (context) => {
    withGodot(context)
    const one = await puppet('gus')
    for (const [keyBytes, messageBytes] of [
      [0, 1],
      [20, 8],
      [32, 300],
      [64, 64],
      [131, 54],
    ] as const) {
      const [key, message] = [randomBytes(keyBytes), randomBytes(messageBytes)]
      const wanted = createHmac('sha256', key).update(message).digest('hex')
      expect(await one.call('puppet', 'hmac', key.toString('base64url'), message.toString('base64url'))).toBe(wanted)
    }
    const key = randomBytes(32)
    const now = 1_800_000_000
    const claims = {
      aud: 'mat_1',
      sub: 'é, 😀',
      instance_id: 'srv_1',
      team: 'team_1',
      role: null,
      iat: now,
      exp: now + 300,
    }
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const token = (more: object = {}, head: object = { alg: 'HS256', typ: 'JWT' }, by = key) => {
      const text = `${part(head)}.${part({ ...claims, ...more })}`
      return `${text}.${createHmac('sha256', by).update(text).digest('base64url')}`
    }
    const judge = (text: string, at = now) => one.call('puppet', 'verify', text, key.toString('base64url'), 'mat_1', at)
    expect(await judge(token())).toEqual({ player_id: 'é, 😀', team: 'team_1', role: null })
    const good = token()
    const refused: Record<string, string> = {
      'of another key': token({}, undefined, randomBytes(32)),
      'of another match': token({ aud: 'mat_2' }),
      'of no match': token({ aud: undefined }),
      'without an end': token({ exp: undefined }),
      'past its end': token({ exp: now }),
      'of nobody': token({ sub: '' }),
      unsigned: `${part({ alg: 'none' })}.${part(claims)}.`,
      'of another algorithm': token({}, { alg: 'HS512', typ: 'JWT' }),
      'with a critical header': token({}, { alg: 'HS256', crit: ['b64'] }),
      'cut short': good.slice(0, -1),
      'with more': `${good}.x`,
      'of base64 that is not url': good.replace(/.$/, '+'),
      'without a signature': `${good.split('.').slice(0, 2).join('.')}.`,
      empty: '',
      'no JSON': `eyJ.eyJ.eyJ`,
    }
    for (const [what, text] of Object.entries(refused)) {
      const why = await judge(text).catch((error) => error)
      expect(why, what).toBeInstanceOf(Refusal)
      expect(why.fields.code, what).toBe('INVALID_JOIN_TOKEN')
    }
    expect(one.complaints).toEqual([])
  })
})

describe('the port to Godot 4', () => {
  const scripts = (folder: string) =>
    readdirSync(join(PACKAGE, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gd'))
  const ported = scripts('godot-4').map((name) => ({
    name,
    text: readFileSync(join(PACKAGE, 'godot-4', name), 'utf8'),
  }))

  it('has the same files, and says of each, and in the README, that it is unproven', () => {
    expect(scripts('godot-4').sort()).toEqual(scripts('godot-3').sort())
    for (const { name, text } of ported) expect(text.split('\n')[0], name).toMatch(/^# UNPROVEN/)
    expect(readFileSync(join(PACKAGE, 'README.md'), 'utf8')).toMatch(/godot-4.*\*\*unproven\*\*/)
  })

  it('has no word left that only Godot 3 understands', () => {
    const gone =
      /\b(yield|Pool\w+Array|funcref|FuncRef|call_func|Reference|percent_encode|ord_at|pause_mode|validate_json)\b|File\.new/
    for (const { name, text } of ported) expect(text, name).not.toMatch(gone)
  })
})
