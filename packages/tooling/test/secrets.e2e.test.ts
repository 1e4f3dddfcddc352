import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileBuildStore } from '@matchyard/build-store/fs'
import { createMatchyard, type Matchyard } from '@matchyard/core'
import type { BuildStore, Logger } from '@matchyard/core/ports'
import { createApp } from '@matchyard/http'
import { nodePlatform } from '@matchyard/node'
import { processOrchestrator } from '@matchyard/orchestrator/process'
import { sqliteStorage } from '@matchyard/storage-sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../src/eventually'
import { oneBuildStore, uploadOneBuild } from '../src/one-build'

const VALUE = `canary-${process.pid}-${Date.now()}`
const DIGEST = createHash('sha256').update(VALUE).digest('hex')

/** A game server that prints the digest of its password. */
const SERVER = `#!/usr/bin/env node
import { createHash } from 'node:crypto'
console.log('digest ' + createHash('sha256').update(process.env.PASSWORD).digest('hex'))
setInterval(() => {}, 1 << 30)
`

/** Returns a build store with the server as its build, which keeps logs in a folder. */
const buildStoreIn = (directory: string): BuildStore => ({
  ...oneBuildStore(SERVER),
  logs: fileBuildStore({ directory }).logs,
})

/** Everything that the service wrote, sent or answered, as text. */
const told: string[] = []
let folder: string
let matchyard: Matchyard
let projectId: string
let close = () => {}
let request: (call: string, body?: object) => Promise<{ readonly status: number; readonly text: string }>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'))
  const note = (message: string, fields?: object) => void told.push(JSON.stringify([message, fields]))
  const logger: Logger = { debug: note, info: note, warn: note, error: note }
  const receiver = createServer(async (incoming, response) => {
    for await (const chunk of incoming) told.push(`webhook ${chunk}`)
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  close = () => receiver.close()
  const [clock, installationId] = [{ now: () => Date.now() }, `ins_${process.pid}_${Date.now()}`]
  const dataDirectory = join(folder, 'servers')
  const buildStore = buildStoreIn(join(folder, 'builds'))
  matchyard = createMatchyard({
    ...nodePlatform({ secret: 'a secret of this test, of 32 bytes or more' }),
    ...{ storage: sqliteStorage({ path: join(folder, 'matchyard.db') }), buildStore, logger, stopGraceMs: 500 },
    orchestrator: processOrchestrator({ dataDirectory, buildStore, installationId, clock, logger }),
    addresses: { allowLoopback: true, httpsOnly: false },
    apiUrl: () => 'http://127.0.0.1:9',
  })
  const app = createApp(matchyard)
  await matchyard.start()
  const project = await matchyard.projects.ensure({ name: 'arena' })
  projectId = project.id
  const minted = await matchyard.keys.mint({ accountId: project.accountId, projectId, type: 'server' })
  const headers = { 'api-key': minted.value ?? '', 'content-type': 'application/json' }
  request = async (call, body) => {
    const [method = '', path = ''] = call.split(' ')
    const answer = await app.request(path, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    told.push(`${call} ${answer.status} ${text}`)
    return { status: answer.status, text }
  }
  const feed = await app.request('/v1/events', { headers })
  void listen(feed.body)
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  expect((await request('POST /v1/webhooks', { url })).status).toBe(201)
  await uploadOneBuild(matchyard, projectId)
})

afterAll(async () => {
  for (const { id: instanceId } of (await matchyard.servers.list({ projectId })).data) {
    await matchyard.servers.stop({ projectId, instanceId })
  }
  await eventually(
    () => matchyard.servers.list({ projectId }),
    ({ data }) => data.every(({ status }) => status === 'stopped' || status === 'failed'),
  )
  await matchyard.stop()
  close()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

async function listen(stream: ReadableStream<Uint8Array> | null): Promise<void> {
  const decoder = new TextDecoder()
  for await (const chunk of stream ?? []) told.push(`feed ${decoder.decode(chunk)}`)
}

/** Starts a match of a new queue with these variables, and returns its server once it runs or has failed. */
async function played(queueId: string, environment: object) {
  const settings = { version_tag: 'arena', readiness: 'uptime', environment }
  await request('POST /v1/queues', { queue_id: queueId, name: queueId, server_settings: settings })
  const lobby = await matchyard.lobbies.create({ projectId, queueId, playerId: queueId })
  await matchyard.lobbies.start({ projectId, lobbyId: lobby.id, playerId: queueId })
  const { data } = await eventually(
    () => matchyard.servers.list({ projectId }),
    (page) => page.data.some((one) => one.queueId === queueId && ['running', 'failed'].includes(one.status)),
  )
  const server = data.find((one) => one.queueId === queueId)
  if (server === undefined) throw new Error('the queue has a server')
  await request(`GET /v1/lobbies/${lobby.id}`)
  return server
}

it('a secret is nowhere but in the environment of the game server', async () => {
  expect((await request('PUT /v1/secrets/API_TOKEN', { value: VALUE })).status).toBe(204)
  const server = await played('duel', { PASSWORD: '${secret:API_TOKEN}' })
  expect(server.status).toBe('running')
  await played('broken', { PASSWORD: '${secret:API_TOKEN}${secret:MISSING}' })
  const logs = () => request(`GET /v1/servers/${server.id}/logs`)
  await eventually(logs, ({ text }) => text.includes(DIGEST))
  const sees = (words: string) => told.some((line) => line.startsWith(words) && line.includes('duel'))
  await eventually(() => sees('webhook') && sees('feed'), Boolean)
  const lists = ['secrets', 'queues', 'queues/duel', 'queues/duel/history', 'servers', `servers/${server.id}`]
  for (const path of [...lists, 'matches', 'problems', 'webhooks', 'builds']) await request(`GET /v1/${path}`)
  await request('PUT /v1/secrets/a-b', { value: VALUE })
  expect(told.filter((line) => line.includes(VALUE))).toEqual([])
  expect(told.some((line) => line.includes('SECRET_NOT_FOUND') && line.includes('MISSING'))).toBe(true)
  expect(await filesWith(folder, VALUE)).toEqual([])
  expect(await filesWith(folder, 'API_TOKEN')).not.toEqual([])
  expect(await processesWith('cmdline', VALUE)).toEqual([])
  const holders = await processesWith('environ', VALUE)
  expect(await Promise.all(holders.map((pid) => readlink(`/proc/${pid}/exe`)))).toEqual([process.execPath])
  await matchyard.servers.stop({ projectId, instanceId: server.id })
  await eventually(
    () => filesWith(join(folder, 'builds', 'logs'), DIGEST),
    ({ length }) => length === 1,
  )
  expect(await filesWith(folder, VALUE)).toEqual([])
})

async function filesWith(below: string, text: string): Promise<string[]> {
  const all = await readdir(below, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  const found = await Promise.all(paths.map(async (path) => (await readFile(path).catch(() => '')).includes(text)))
  return paths.filter((_, at) => found[at])
}

async function processesWith(name: 'cmdline' | 'environ', text: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((one) => /^\d+$/.test(one))
  const found = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')))
  return pids.filter((_, at) => found[at]?.includes(text))
}
