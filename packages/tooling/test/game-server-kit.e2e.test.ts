import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packGameServer } from '@matchyard/example-game-server'
import { freePort } from '@matchyard/server/testing'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Client } from '../src/client'
import { control } from '../src/control'
import { eventually } from '../src/eventually'
import { ServiceProcess } from '../src/service-process'

interface LobbyBody {
  readonly lobby_id: string
  readonly status: string
  readonly match_id: string
  readonly last_exit: { readonly reason: string } | null
  readonly server: {
    readonly instance_id: string
    readonly network_ports: readonly { readonly host: string; readonly external_port: number }[]
  }
}

const GAME = fileURLToPath(new URL('../src/kit-game.mjs', import.meta.url))

let directory: string
let port: number
let service: ServiceProcess
let client: Client

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'matchyard-kit-'))
  port = await freePort()
  service = await ServiceProcess.start(directory, port)
  client = new Client(service.credentials.base_url, service.credentials.client_key)
  await upload()
  await call('POST', '/v1/queues', {
    backend: true,
    body: {
      queue_id: 'kit',
      name: 'Kit',
      max_players: 1,
      server_settings: {
        version_tag: 'kit',
        readiness: 'self',
        custom_data: { rounds: 3 },
        network_ports: [{ name: 'control', protocol: 'tcp', internal_port: 7777 }],
      },
      matchmaking: { teams: 2, players_per_team: 1 },
    },
  })
})
afterAll(async () => {
  client.close()
  await service.end('SIGINT')
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

async function call<T>(
  method: string,
  path: string,
  { player, body, backend = false }: { player?: string; body?: unknown; backend?: boolean } = {},
): Promise<T> {
  const as = {
    ...(player === undefined ? {} : { player }),
    ...(backend ? { key: service.credentials.server_key } : {}),
  }
  const answer = await client.call<T>({ method, path, ...as, ...(body === undefined ? {} : { body }) })
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Bundles the game and the kit into one file, as a studio would, and uploads it. */
async function upload(): Promise<void> {
  const folder = join(directory, 'game')
  await build({
    entryPoints: [GAME],
    outfile: join(folder, 'server.mjs'),
    conditions: ['@matchyard/source'],
    banner: { js: '#!/usr/bin/env node' },
    ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20' },
  })
  const body = { name: 'kit', executable_path: 'server.mjs' }
  const made = await call<{ build_id: string; upload_url: string }>('POST', '/v1/builds/upload-url', {
    body,
    backend: true,
  })
  await fetch(made.upload_url, { method: 'PUT', body: new Uint8Array(await packGameServer(folder)) })
  const look = () => call<{ status: string }>('GET', `/v1/builds/${made.build_id}`, { backend: true })
  await eventually(look, ({ status }) => status === 'ready')
}

async function search(player: string): Promise<string> {
  const body = { queue_id: 'kit', settings: { map: 'moon' } }
  const { lobby_id } = await call<LobbyBody>('POST', '/v1/lobbies', { player, body })
  await call('POST', `/v1/lobbies/${lobby_id}/queue`, { player })
  return lobby_id
}

const untilIn = (player: string, lobbyId: string, wanted: string) =>
  eventually(
    () => call<LobbyBody>('GET', `/v1/lobbies/${lobbyId}`, { player }),
    ({ status }) => status === wanted,
  )

async function ask<T>({ server }: LobbyBody, line: string): Promise<T> {
  const port = server.network_ports[0]
  const answer = port === undefined ? undefined : await control(port, line)
  if (answer === undefined) throw new Error(`the game server did not answer ${line}`)
  return JSON.parse(answer) as T
}

const tokenOf = async (player: string, { match_id }: LobbyBody) =>
  (await call<{ token: string }>('POST', `/v1/matches/${match_id}/join-token`, { player })).token

const claimsOf = (token: string): object =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object

it('serves a match from its file to its end, through a service that is killed in the middle of it', async () => {
  const lobbies = { ann: await search('ann'), bob: await search('bob') }
  const playing = await untilIn('ann', lobbies.ann, 'in_game')
  expect(await ask(playing, 'match')).toMatchObject({
    match: { matchId: playing.match_id, queueId: 'kit', version: expect.any(Number) },
    teams: [{ players: [{ playerId: expect.any(String), lobbyId: expect.any(String) }] }, { players: [{}] }],
    settings: { map: 'moon' },
    customData: { rounds: 3 },
  })
  const ann = await tokenOf('ann', playing)
  const bob = await tokenOf('bob', playing)
  expect(await ask(playing, `verify ${ann}`)).toMatchObject({ ok: true, playerId: 'ann', team: expect.any(String) })
  expect(await ask(playing, 'backfill')).toMatchObject({
    code: 'INVALID_MATCH_STATE',
    number: 5009,
    requestId: expect.any(String),
  })

  await service.end('SIGKILL')
  // The service is down, so the game server repeats this report until the service is back.
  const told = control(playing.server.network_ports[0] as never, 'left bob')
  expect(await ask(playing, `verify ${bob}`)).toEqual({ ok: false, reason: 'left' })
  service = await ServiceProcess.start(directory, port)
  await told
  await eventually(
    () => ask<readonly { left: string[] }[]>(playing, 'updates'),
    (updates) => updates.some(({ left }) => left.includes('bob')),
  )

  expect(await ask(playing, 'backfill')).toMatchObject({ status: 'searching', teams: [{ open: 1 }] })
  const third = await untilIn('eve', await search('eve'), 'in_game')
  expect(third.server.instance_id).toBe(playing.server.instance_id)
  const eve = await tokenOf('eve', third)
  expect(await ask(playing, `verify ${eve}`)).toMatchObject({ ok: true, playerId: 'eve' })
  // A player who came by backfill is let in like the others. A player who left gets no new token, and his old token is
  // refused.
  const path = `/v1/matches/${playing.match_id}/join-token`
  expect((await client.call({ method: 'POST', path, player: 'bob' })).body.code).toBe('MATCH_NOT_FOUND')
  expect(await ask(playing, `verify ${bob}`)).toEqual({ ok: false, reason: 'left' })
  const [header, , signature] = eve.split('.')
  const asBob = Buffer.from(JSON.stringify({ ...claimsOf(eve), sub: 'bob' })).toString('base64url')
  expect(await ask(playing, `verify ${header}.${asBob}.${signature}`)).toEqual({ ok: false, reason: 'forged' })
  expect(claimsOf(eve)).toMatchObject({ aud: playing.match_id, instance_id: playing.server.instance_id, sub: 'eve' })
  expect(await ask(playing, `verify ${ann}`)).toMatchObject({ ok: true, playerId: 'ann' })
  await eventually(
    () => ask<readonly { joined: string[] }[]>(playing, 'updates'),
    (updates) => updates.some(({ joined }) => joined.includes('eve')),
  )
  expect(await ask(playing, 'close')).toBe('done')
  expect(await ask(playing, 'backfill')).toMatchObject({ code: 'INVALID_MATCH_STATE' })

  await control(playing.server.network_ports[0] as never, 'over')
  expect((await untilIn('ann', lobbies.ann, 'waiting')).last_exit?.reason).toBe('match_ended')
  const { exit_code, log } = await ended(playing)
  expect(exit_code).toBe(0)
  expect(log).toEqual(
    expect.arrayContaining(['connection live', 'connection reconnecting', expect.stringMatching(FAREWELL)]),
  )
})

it('has its farewell when it is stopped from outside, and exits with 0', async () => {
  const lobby = await search('cat')
  await search('dan')
  const playing = await untilIn('cat', lobby, 'in_game')
  await call('DELETE', `/v1/servers/${playing.server.instance_id}`, { backend: true })
  const { exit_code, status, log } = await ended(playing)
  expect([exit_code, status]).toEqual([0, 'stopped'])
  expect(log.filter((line) => FAREWELL.test(line))).toHaveLength(1)
})

const FAREWELL = /^farewell, \d+ s before the deadline$/

async function ended({ server: { instance_id } }: LobbyBody) {
  const path = `/v1/servers/${instance_id}`
  const look = () => call<{ status: string; exit_code: number | null }>('GET', path, { backend: true })
  const { status, exit_code } = await eventually(look, ({ exit_code }) => exit_code !== null)
  const { logs } = await call<{ logs: readonly { message: string }[] }>('GET', `${path}/logs`, { backend: true })
  return { status, exit_code, log: logs.map(({ message }) => message) }
}
