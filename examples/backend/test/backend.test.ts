import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ServerType, serve } from '@hono/node-server'
import { createClient } from '@matchyard/client'
import { argon2Passwords } from '@matchyard/node'
import { createLogger, type Service, startService } from '@matchyard/server'
import { memoryStorage } from '@matchyard/storage-memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBackend } from '../src/backend'
import { openDatabase, type StudioDatabase } from '../src/database'
import { setUp } from '../src/set-up'
import { readSettings, type Settings, writeSettings } from '../src/settings'

const OWNER = { email: 'studio@example.com', password: 'a password of the studio' }

let folder: string
let service: Service
let settings: Settings
let database: StudioDatabase
let app: ReturnType<typeof createBackend>
let server: ServerType
/** Keys for the join tokens that the studio's game server got, by match. */
const begun = new Map<string, string>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'studio-'))
  service = await startService({
    ...{ storage: memoryStorage(), dataDirectory: folder, secret: 'not a secret, but long enough for a test' },
    ...{ host: '127.0.0.1', port: 0, installationId: `studio-${process.pid}`, orchestrator: 'none' },
    addresses: { allowLoopback: true, httpsOnly: false },
    logger: createLogger({ level: 'error', pretty: false }),
  })
  const passwordHash = await argon2Passwords().hash(OWNER.password)
  await service.matchyard.projects.ensure({ name: 'Studio', email: OWNER.email, passwordHash })
  server = serve({ fetch: (request) => app.fetch(request), port: 0 })
  await once(server as Server, 'listening')
  const backendUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const file = join(folder, 'backend.json')
  writeSettings(file, await setUp({ baseUrl: service.baseUrl, ...OWNER }, backendUrl))
  settings = readSettings(file)
  database = openDatabase(join(folder, 'backend.db'))
  app = createBackend({
    ...{ database, settings },
    place: async () => ({ host: 'eu-3.studio.example', port: 7777 }),
    begin: async (match, joinTokenKey) => {
      begun.set(match.match_id, joinTokenKey)
    },
  })
})

afterAll(async () => {
  server.close()
  await service.stop()
  database.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

const post = (path: string, body: unknown, bearer = '') =>
  app.request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    body: JSON.stringify(body),
  })

async function register(name: string): Promise<string> {
  const answer = await post('/players', { name, password: `the password of ${name}` })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { session: string }).session
}

/** Returns the game client of a player with this session. */
function gameOf(session: string) {
  const player = async () => {
    const answer = await post('/me/player-token', {}, session)
    return ((await answer.json()) as { token: string }).token
  }
  return createClient({ baseUrl: service.baseUrl, clientKey: settings.clientKey, player, log: () => {} })
}

const matchesOf = async (session: string) =>
  (await app.request('/me/matches', { headers: { authorization: `Bearer ${session}` } })).json()

async function eventually(look: () => Promise<unknown>, expected: unknown): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return expect(await look()).toMatchObject(expected as object)
    } catch (error) {
      if (tries > 400) throw error
      await wait(50)
    }
  }
}

describe("a studio's backend", () => {
  it('plays a match from login to rating', async () => {
    const [ann, bob] = [await register('ann'), await register('bob')]
    const games = [gameOf(ann), gameOf(bob)] as const
    const [match, other] = await Promise.all([games[0].play('duel'), games[1].play('duel')])
    expect(match.id).toBe(other.id)
    const { host, port, joinToken = '' } = match.endpoint('game')
    expect([host, port]).toEqual(['eu-3.studio.example', 7777])

    // The game server got the key before ann could connect.
    const key = begun.get(match.id) ?? ''
    const [header, claims = '', signature] = joinToken.split('.')
    const mac = createHmac('sha256', Buffer.from(key, 'base64url')).update(`${header}.${claims}`)
    expect(mac.digest('base64url')).toBe(signature)
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: 'ann', aud: match.id })

    const result = `/matches/${match.id}/result`
    expect((await post(result, { winner: match.me.team }, 'guessed')).status).toBe(401)
    expect((await post(result, { winner: 'nobody' }, settings.resultKey)).status).toBe(400)
    for (const _ of ['said', 'said again']) {
      expect((await post(result, { winner: match.me.team }, settings.resultKey)).status).toBe(204)
    }
    expect(await match.ended).toMatchObject({ reason: 'backend_ended' })
    expect(await (await app.request('/leaderboard')).json()).toEqual([
      { name: 'ann', mmr: 1516, games: 1 },
      { name: 'bob', mmr: 1484, games: 1 },
    ])
    await eventually(() => matchesOf(bob), [{ match_id: match.id, status: 'ended', winner: match.me.team }])
    for (const game of games) game.close()

    // Later tokens tell matchmaking the new rating.
    const again = gameOf(ann)
    const lobby = await again.lobbies.create({ queueId: 'duel' })
    expect(lobby.current.players[0]?.state).toEqual({ mmr: 1516 })
    again.close()
  })

  it('lets nobody say who they are, or how good, by themselves', async () => {
    const cat = gameOf(await register('cat'))
    const boast = cat.lobbies.create({ queueId: 'duel', state: { mmr: 9000 } })
    await expect(boast).rejects.toMatchObject({ code: 'PLAYER_STATE_FORBIDDEN' })
    const nobody = createClient({ baseUrl: service.baseUrl, clientKey: settings.clientKey, player: 'ann' })
    await expect(nobody.lobbies.create({ queueId: 'duel' })).rejects.toMatchObject({ code: 'PLAYER_TOKEN_REQUIRED' })
    expect((await post('/me/player-token', {}, 'guessed')).status).toBe(401)
    cat.close()
    nobody.close()
  })

  it('knows its players by their passwords', async () => {
    await register('dora')
    expect((await post('/players', { name: 'dora', password: 'another password' })).status).toBe(409)
    expect((await post('/players', { name: 'a, b', password: 'long enough' })).status).toBe(400)
    expect((await post('/sessions', { name: 'dora', password: 'the password of dora' })).status).toBe(200)
    expect((await post('/sessions', { name: 'dora', password: 'another password' })).status).toBe(401)
    expect((await post('/sessions', { name: 'nobody', password: 'another password' })).status).toBe(401)
  })

  it('believes no webhook that the service did not sign', async () => {
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }
    const body = JSON.stringify({ type: 'match.ended', data: {} })
    for (const signature of ['v1,', 'v1,AAAA', '']) {
      const sent = { method: 'POST', headers: { ...headers, 'webhook-signature': signature }, body }
      expect((await app.request('/webhooks', sent)).status).toBe(400)
    }
  })
})
