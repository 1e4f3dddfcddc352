import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@matchyard/server/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Client } from '../../src/client'
import { archiveOf, uploadBuild } from '../../src/engines/game-build'
import { TalkingProgram } from '../../src/engines/talking-program'
import { eventually } from '../../src/eventually'
import { processesOf } from '../../src/game-processes'
import { compile, monoMissing, sourcesIn } from '../../src/mono'
import { skipWithout } from '../../src/needs'
import { ServiceProcess } from '../../src/service-process'
import { differences, jsonTexts } from './json-texts'

const PACKAGE = fileURLToPath(new URL('../../../engines/unity', import.meta.url))
const PROGRAMS = fileURLToPath(new URL('./unity', import.meta.url))
const missing = monoMissing()

const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/^```csharp\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? '')
const runtime = sourcesIn(join(PACKAGE, 'Runtime'))
const samples = sourcesIn(join(PACKAGE, 'Samples~'))
const programs = sourcesIn(PROGRAMS)
const isUnity = (path: string) => path.includes('Unity')

const ARENA = {
  ...{ queue_id: 'arena', name: 'Arena', max_players: 1 },
  matchmaking: {
    ...{ teams: 2, players_per_team: 1, ready_check: { timeout: 60 } },
    rules: [{ type: 'difference', field: 'mmr', max_difference: 100 }],
  },
}
const DUEL = { queue_id: 'duel', name: 'Duel', max_players: 1, matchmaking: { teams: 2, players_per_team: 1 } }
const NETWORK_PORTS = [{ name: 'game', protocol: 'udp', internal_port: 7777 }]

let directory: string
let port: number
let service: ServiceProcess
let backend: Client
const started: TalkingProgram[] = []

const mono = (...args: string[]) => {
  const program = new TalkingProgram('mono', args, { ...process.env, MONO_GC_PARAMS: 'nursery-size=1m' })
  started.push(program)
  return program
}
const program = (name: string, ...args: string[]) => mono(join(directory, 'programs.exe'), name, ...args)
const player = (name: string, mmr: number) => {
  const { base_url, client_key } = service.credentials
  return program('player', base_url, client_key, name, 'arena', String(mmr))
}

async function start(): Promise<void> {
  service = await ServiceProcess.start(directory, port)
  backend = new Client(service.credentials.base_url, service.credentials.server_key)
}

async function makeQueue(queue: Readonly<Record<string, unknown>>): Promise<void> {
  const server_settings = {
    ...{ version_tag: queue.queue_id, network_ports: NETWORK_PORTS, readiness: 'self' },
    custom_data: { rounds: 3 },
  }
  const { status, body } = await backend.call({
    method: 'POST',
    path: '/v1/queues',
    body: { ...queue, server_settings },
  })
  expect(body, 'the queue').toMatchObject({ queue_id: queue.queue_id })
  expect(status).toBe(201)
}

/** Returns the lines that the game server wrote. */
async function logOf(instanceId: string): Promise<string[]> {
  const { body } = await backend.call<{ logs: { message: string }[] }>({
    method: 'GET',
    path: `/v1/servers/${instanceId}/logs`,
  })
  return body.logs.map(({ message }) => message)
}

async function serverOf(matchId: string): Promise<string> {
  const { body } = await backend.call<{ server: { instance_id: string } }>({
    method: 'GET',
    path: `/v1/matches/${matchId}`,
  })
  return body.server.instance_id
}

/** Writes the README's programs to files, with the address and the key of this service, and returns the paths. */
function readmeBlocks(): string[] {
  const { base_url, client_key } = service.credentials
  return blocks.map((block, index) => {
    const file = join(directory, `Readme${index}.cs`)
    writeFileSync(file, block.replace('http://127.0.0.1:8080', base_url).replace('ck_live_…', client_key))
    return file
  })
}

beforeAll(async () => {
  if (missing !== undefined) return
  directory = mkdtempSync(join(tmpdir(), 'matchyard-unity-'))
  port = await freePort()
  await start()
  const sources = [...runtime, ...programs.filter((path) => !isUnity(path)), ...readmeBlocks()]
  await compile({ to: join(directory, 'programs.exe'), sources })
  const exe = readFileSync(join(directory, 'programs.exe'))
  const script = (name: string) => `#!/bin/sh\nexec mono programs.exe ${name}\n`
  for (const [name, server] of [
    ['arena', 'arena'],
    ['duel', 'readme-server'],
  ] as const) {
    const archive = await archiveOf({ 'programs.exe': exe, server: script(server) })
    await uploadBuild(backend, name, 'server', archive)
  }
  await makeQueue(ARENA)
  await makeQueue(DUEL)
}, 120_000)

afterAll(async () => {
  if (missing !== undefined) return
  for (const one of started) one.kill()
  backend.close()
  await service.end('SIGINT')
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

beforeEach((context) => {
  if (missing !== undefined) skipWithout(context, 'mono', missing)
})

describe('the C# package', () => {
  it('is whole by itself, in C# 7.0, and every public member is documented', async () => {
    await compile({
      to: join(directory, 'Matchyard.dll'),
      sources: runtime,
      documentation: join(directory, 'Matchyard.xml'),
    })
  })

  it('does by itself what it should', async () => {
    const checks = program('checks', directory)
    expect(await checks.end()).toBe(0)
    expect(checks.said.filter((line) => !line.startsWith('ok '))).toEqual([])
    expect(checks.said.length).toBeGreaterThan(25)
  })

  it('reads JSON as JSON.parse does, and refuses what has no one meaning', async () => {
    const texts = jsonTexts()
    const filter = program('json')
    for (const { text } of texts.all) filter.write(Buffer.from(text, 'utf16le').toString('base64'))
    expect(await filter.end()).toBe(0)
    expect(differences(texts.all, filter.said), `seed ${texts.seed}`).toEqual([])
  })

  it('plays what its README shows: two players, on the server that it shows', async () => {
    const game = program('readme', 'rea', 'dom')
    expect(await game.end()).toBe(0)
    expect(game.said.sort()).toEqual([
      expect.stringMatching(/^dom welcome dom of team_[12]$/),
      expect.stringMatching(/^rea welcome rea of team_[12]$/),
    ])
  })

  it('carries a match through a crash of the service and the loss of a player', { timeout: 180_000 }, async () => {
    const ann = player('ann', 1500)
    const bob = player('bob', 1540)
    for (const one of [ann, bob]) await one.hears(/^proposed to 2$/)
    const [, matchId = ''] = await ann.hears(/^match (\S+) team_[12]$/)
    expect((await bob.hears(/^match (\S+) /))[1]).toBe(matchId)
    await ann.ask('join with a forged token', /^refused Forged$/)
    await ann.ask('join', /^welcome ann team_[12]$/)
    await bob.ask('join', /^welcome bob team_[12]$/)

    await service.end('SIGKILL')
    backend.close()
    await ann.ask('ping 1', /^pong 1$/)
    await ann.hears(/^connection Reconnecting$/)
    await start()
    await ann.hears(/^connection Live$/)
    await ann.ask('join with a new token', /^welcome ann/)

    // Cat can be matched only when bob's seat is open.
    const cat = player('cat', 1450)
    await bob.ask('leave', /^left, 1 seat open$/)
    // Bob was the last player of his lobby, so his leaving deletes the lobby.
    await bob.hears(/^closed Deleted$/)
    expect((await cat.hears(/^match (\S+) /))[1]).toBe(matchId)
    await cat.ask('join', /^welcome cat team_[12]$/)
    await bob.ask('join', /^refused Left$/)
    await eventually(
      async () => (await ann.ask('roster', /^[a-z]+,?[a-z]*$/))[0],
      (roster) => roster === 'ann,cat',
    )

    const instanceId = await serverOf(matchId)
    await cat.ask('over', /^over$/)
    await ann.hears(/^ended match_ended Waiting$/)
    const server = async () => (await backend.call({ method: 'GET', path: `/v1/servers/${instanceId}` })).body
    await eventually(server, ({ status }) => status === 'stopped')
    expect(await server()).toMatchObject({ exit_code: 0, restarts: 0 })
    const log = await logOf(instanceId)
    expect(log).toContain('match of ann,bob on dust, 3 rounds')
    // The feed sends current values, so it may report bob's leaving and cat's arrival together.
    expect(log).toEqual(expect.arrayContaining(['service Reconnecting', 'service Live', 'roster ann,cat', 'the end']))
    for (const one of [ann, bob, cat]) expect(await one.end()).toBe(0)
  })

  it('hears that its server is to stop, in time to end by itself', async () => {
    const body = { version_tag: 'arena', network_ports: NETWORK_PORTS, readiness: 'self' }
    const { body: made } = await backend.call<{ instance_id: string }>({ method: 'POST', path: '/v1/servers', body })
    const path = `/v1/servers/${made.instance_id}`
    const server = async () => (await backend.call({ method: 'GET', path })).body
    await eventually(server, ({ status }) => status === 'running')
    await backend.call({ method: 'DELETE', path })
    await eventually(server, ({ status }) => status === 'stopped')
    expect(await server()).toMatchObject({ exit_code: 0 })
    expect(await logOf(made.instance_id)).toEqual(expect.arrayContaining(['stopping, with time left', 'the end']))
    await eventually(
      () => processesOf(made.instance_id),
      (pids) => pids.length === 0,
    )
  })

  it('plays a match on stand-ins for Unity, by UnityWebRequest and coroutines', { timeout: 120_000 }, async () => {
    const to = join(directory, 'unity.exe')
    const sources = [...runtime, ...samples, ...programs.filter(isUnity), join(PROGRAMS, 'Udp.cs')]
    await compile({ to, sources, symbols: ['UNITY_5_3_OR_NEWER', 'UNITY_WEBGL'] })
    const { base_url, client_key } = service.credentials
    const game = mono(to, base_url, client_key)
    expect(await game.end()).toBe(0)
    expect(game.said.sort()).toEqual([
      'search cancelled',
      expect.stringMatching(/^udo welcome udo of team_[12]$/),
      expect.stringMatching(/^uma welcome uma of team_[12]$/),
    ])
  })
})
