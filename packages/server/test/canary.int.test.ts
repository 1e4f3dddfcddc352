import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packGameServer } from '@matchyard/example-game-server'
import { expect, test } from 'vitest'
import type { Answer, Api, Body, Call } from './harness/api'
import { until } from './harness/command'
import { temporaryFolder } from './harness/folder'
import { goodSecret, OPEN_TO_ALL, startServe } from './harness/services'

/** Secrets by name, recorded as the flow creates them. */
class Canaries {
  private readonly known = new Map<string, string>()

  keep(name: string, secret: string): string {
    if (secret.length < 8) throw new Error(`${name} is too short to be searched for`)
    this.known.set(name, secret)
    return secret
  }

  /** Returns the names of the secrets that a text or a file contains. */
  foundIn(text: string): string[] {
    return [...this.known].filter(([, secret]) => text.includes(secret)).map(([name]) => name)
  }

  get names(): string[] {
    return [...this.known.keys()]
  }
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    // A game server that has just ended removes its folder.
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)

test('no secret of a whole flow is found in a log line, an event, a metric, an error or the database', async () => {
  const canaries = new Canaries()
  const cwd = temporaryFolder()
  const secret = canaries.keep('installation secret', goodSecret())
  const metricsToken = canaries.keep('metrics token', goodSecret())
  const { command, call, url } = await startServe(cwd, {
    ...OPEN_TO_ALL,
    MATCHYARD_SECRET: secret,
    METRICS_TOKEN: metricsToken,
    LOG_LEVEL: 'debug',
  })
  const refusals: Answer[] = []
  const refused = async (what: string, options: Call = {}) => {
    const answer = await call(what, options)
    expect(answer.status, `${what}: ${answer.text}`).toBeGreaterThanOrEqual(400)
    refusals.push(answer)
  }

  const studio = await openAccount(call, canaries, refused)
  const { client, server, project } = await openProject(call, canaries, studio.token, refused)
  const upload = await uploadBuild(call, canaries, server, refused)
  const { events, lobby } = await playMatch(call, url, { client, server })
  await keepServerToken(canaries, cwd, lobby.server.instance_id)
  const serverToken = [...canaries.names].includes('game server token')
  expect(serverToken).toBe(true)

  // Each secret is sent in a wrong place. It must be refused, and the refusal must not repeat it.
  await refused('GET /v1/queues', { key: studio.token })
  await refused('GET /v1/account', { token: server })
  await refused('GET /v1/account', { token: metricsToken })
  await refused('GET /metrics', { token: server })
  await refused('POST /v1/lobbies', { key: client, player: 'ann', raw: `{"queue_id": "${server}`, headers: JSON_BODY })
  await refused('POST /v1/auth/register', { body: { email: 'x', password: studio.password, name: 'x' } })
  await refused(`PUT /v1/uploads/${upload.buildId}?expires=1&signature=${upload.signature}x`, { raw: 'PK' })
  await refused('POST /v1/servers/self/ready', { token: studio.token })

  // A revoked key and an ended session are refused.
  const revoke = `/v1/projects/${project.project_id}/keys/${project.keys[0].key_id}`
  expect((await call(`DELETE ${revoke}`, { token: studio.token })).status).toBe(204)
  await refused('GET /v1/lobbies', { key: client })
  const metrics = await call('GET /metrics', { token: metricsToken })
  expect(metrics.text).toMatch(/^matchyard_launch_duration_seconds_count 1$/m)
  expect((await call(`DELETE /v1/servers/${lobby.server.instance_id}`, { key: server })).status).toBe(200)
  expect((await call('POST /v1/auth/logout', { token: studio.token })).status).toBe(204)
  await refused('GET /v1/account', { token: studio.token })

  const database = () => filesBelow(join(cwd, 'data')).filter((path) => path.includes('matchyard.db'))
  const withWal = database()
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n')
  expect(withWal).toContain(studio.email)
  command.signal('SIGTERM')
  const { code, stdout, stderr } = await command.exited
  expect(code).toBe(0)
  expect(stderr).toContain('"operation":"builds.upload"')

  const places: Record<string, string> = {
    'the log': stdout + stderr,
    'the events': events,
    'the metrics': metrics.text,
    'the refusals': refusals.map(({ text, headers }) => text + JSON.stringify([...headers])).join('\n'),
    'the database with its log': withWal,
    'the database at rest': database()
      .map((path) => readFileSync(path, 'latin1'))
      .join('\n'),
  }
  for (const [place, text] of Object.entries(places)) expect(canaries.foundIn(text), place).toEqual([])
  expect(canaries.names).toEqual([
    'installation secret', 'metrics token', 'password', 'first session', 'session', 'client key', 'server key',
    'minted key', 'upload signature', 'game server token',
  ]) // biome-ignore format: a list of words
})

type Refused = (what: string, options?: Call) => Promise<void>
const JSON_BODY = { 'content-type': 'application/json' }

async function openAccount(call: Api, canaries: Canaries, refused: Refused) {
  const email = 'canary@example.com'
  const password = canaries.keep('password', randomBytes(12).toString('base64url'))
  const { body: first } = await call('POST /v1/auth/register', { body: { email, password, name: 'Canary' } })
  canaries.keep('first session', first.token)
  await refused('POST /v1/auth/register', { body: { email, password, name: 'Again' } })
  await refused('POST /v1/auth/login', { body: { email, password: `${password}x` } })
  await refused('POST /v1/auth/login', { body: { email: 'nobody@example.com', password } })
  const { body: session } = await call('POST /v1/auth/refresh', { token: first.token })
  const token = canaries.keep('session', session.token)
  await refused('GET /v1/account', { token: first.token })
  const upgrade = { plan: 'pro', payment_method_token: 'pm_test_visa' }
  expect((await call('POST /v1/billing/upgrade', { token, body: upgrade })).status).toBe(200)
  return { email, password, token }
}

async function openProject(call: Api, canaries: Canaries, token: string, refused: Refused) {
  const create = { token, body: { name: 'Canary' }, headers: { 'idempotency-key': 'once' } }
  const { body: project } = await call('POST /v1/projects', create)
  const [client, server] = project.keys.map((key: Body) => key.key)
  canaries.keep('client key', client)
  canaries.keep('server key', server)
  // The record of an idempotent call is kept without the keys' values.
  expect((await call('POST /v1/projects', create)).text).not.toContain(server)
  const minted = await call(`POST /v1/projects/${project.project_id}/keys`, { token, body: { type: 'server' } })
  canaries.keep('minted key', minted.body.key)
  await refused('GET /v1/queues', { key: client })
  await refused('GET /v1/queues', { key: `${server.slice(0, -1)}!` })
  return { client, server, project }
}

async function uploadBuild(call: Api, canaries: Canaries, key: string, refused: Refused) {
  const body = { name: 'canary', executable_path: 'server.mjs' }
  const { body: upload } = await call('POST /v1/builds/upload-url', { key, body })
  const signature = canaries.keep('upload signature', new URL(upload.upload_url).searchParams.get('signature') ?? '')
  const archive = await packGameServer()
  expect((await call(`PUT ${upload.upload_url}`, { raw: new Uint8Array(archive) })).status).toBe(204)
  await refused(`PUT ${upload.upload_url}`, { raw: new Uint8Array(archive) })
  await until('the build is ready', async () => {
    const build = await call(`GET /v1/builds/${upload.build_id}`, { key })
    return build.body.status === 'ready' ? true : undefined
  })
  return { buildId: upload.build_id, signature }
}

async function playMatch(call: Api, url: string, keys: { client: string; server: string }) {
  const { client: key, server } = keys
  const network_ports = [
    { name: 'game', protocol: 'udp', internal_port: 7777 },
    { name: 'control', protocol: 'tcp', internal_port: 7778 },
  ]
  const server_settings = { version_tag: 'canary', network_ports }
  await call('POST /v1/queues', { key: server, body: { queue_id: 'duel', name: 'Duel', server_settings } })
  const { body: made } = await call('POST /v1/lobbies', { key, player: 'ann', body: { queue_id: 'duel' } })
  const path = `/v1/lobbies/${made.lobby_id}`
  const stream = await fetch(`${url}${path}/events`, { headers: { 'api-key': key, 'x-player-id': 'ann' } })
  const events = stream.text()
  expect((await call(`POST ${path}/start`, { key, player: 'ann' })).status).toBe(200)
  const lobby = await until('the game server runs', async () => {
    const { body } = await call(`GET ${path}`, { key, player: 'ann' })
    return body.status === 'in_game' ? body : undefined
  })
  // The stream ends when its player leaves the lobby.
  expect((await call('POST /v1/lobbies', { key, player: 'bob', body: { queue_id: 'duel' } })).status).toBe(201)
  expect((await call(`POST ${path}/leave`, { key, player: 'ann' })).status).toBe(204)
  return { events: await events, lobby }
}

/** Keeps the game server's token, which only its configuration file contains. */
async function keepServerToken(canaries: Canaries, cwd: string, instanceId: string): Promise<void> {
  const config = filesBelow(join(cwd, 'data')).find(
    (path) => path.includes(instanceId) && path.endsWith('its_svc.json'),
  )
  if (config === undefined) throw new Error('the game server has no configuration file')
  canaries.keep('game server token', JSON.parse(readFileSync(config, 'utf8')).token)
}
