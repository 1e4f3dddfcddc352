import { createHash } from 'node:crypto'
import { beforeEach, expect } from 'vitest'
import { type Body, fault, outcome } from '../../src/conformance/client'
import { rule } from '../../src/conformance/rule'
import type { Studio } from '../../src/conformance/studio'
import { World } from '../../src/conformance/world'

let world: World
let studio: Studio
let project: string
beforeEach(async () => {
  world = await World.open()
  studio = await world.studio()
  project = `/v1/projects/${studio.projectId}`
})

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns the CRC-32 of a text, computed bit by bit from its definition. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (const byte of Buffer.from(text, 'ascii')) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

function checksum(text: string, digits: string): string {
  let rest = crc32(text)
  let out = ''
  for (; rest > 0; rest = Math.floor(rest / 62)) out = digits[rest % 62] + out
  return out.padStart(6, '0')
}

const keyIds = async (): Promise<Body[]> => (await studio.developer(`GET ${project}/keys`)).body.data

rule('S-PRJ-01', async () => {
  const { body } = await studio.developer(`GET ${project}`)
  const created = world.instant()
  expect(body).toEqual({
    project_id: expect.stringMatching(/^prj_/),
    account_id: studio.accountId,
    name: 'Arena',
    slug: 'arena',
    role: 'owner',
    created_at: created,
    updated_at: created,
  })
})

rule('S-PRJ-02', async () => {
  await world.studio()
  const { body } = await studio.developer('GET /v1/projects')
  expect(body).toMatchObject({ total: 1, limit: 50, offset: 0, has_more: false })
  expect(body.data.map((item: Body) => item.project_id)).toEqual([studio.projectId])
})

rule('S-PRJ-03', async () => {
  const deleted = await studio.developer(`DELETE ${project}`)
  expect([deleted.status, deleted.text]).toEqual([204, ''])
  expect(outcome(await studio.developer(`GET ${project}`))).toEqual([404, 'PROJECT_NOT_FOUND'])
  expect((await studio.developer('GET /v1/projects')).body.total).toBe(0)
  expect(outcome(await studio.developer(`DELETE ${project}`))).toEqual([404, 'PROJECT_NOT_FOUND'])
})

rule('S-PRJ-04', async () => {
  const build = await studio.build()
  expect(world.buildStore.archives.has(build.build_id)).toBe(true)
  await studio.developer(`DELETE ${project}`)
  await world.settle()
  expect(world.buildStore.archives.has(build.build_id)).toBe(false)
  expect(outcome(await studio.developer(`GET /v1/builds/${build.build_id}`))).toEqual([404, 'BUILD_NOT_FOUND'])
})

rule('S-PRJ-05', async () => {
  await studio.developer(`DELETE ${project}`)
  expect(outcome(await studio.backend('GET /v1/queues'))).toEqual([401, 'INVALID_API_KEY'])
  expect(outcome(await studio.player('ann')('GET /v1/lobbies'))).toEqual([401, 'INVALID_API_KEY'])
})

rule('S-PRJ-06', async () => {
  await studio.build()
  const server = await studio.server()
  await world.settle()
  expect(outcome(await studio.developer(`DELETE ${project}`))).toEqual([409, 'PROJECT_HAS_RUNNING_SERVERS'])
  await studio.backend(`DELETE /v1/servers/${server.instance_id}`)
  await world.settle()
  expect((await studio.developer(`DELETE ${project}`)).status).toBe(204)
})

rule('S-KEY-01', async () => {
  for (const key of studio.project.keys) {
    expect(key.key_id).toMatch(/^key_/)
    expect(key.key_id).not.toContain(key.key)
    expect(key.key).not.toContain(key.key_id)
  }
})

rule('S-KEY-02', async () => {
  for (const what of [`GET ${project}/keys`, `GET ${project}`, 'GET /v1/projects', 'GET /v1/account']) {
    const { text } = await studio.developer(what)
    for (const key of [studio.clientKey, studio.serverKey]) expect(text, what).not.toContain(key)
  }
})

rule('S-KEY-03', async () => {
  const [, server] = await keyIds()
  const { status, text } = await studio.developer(`DELETE ${project}/keys/${server.key_id}`)
  expect([status, text]).toEqual([204, ''])
  expect(outcome(await studio.backend('GET /v1/queues'))).toEqual([401, 'INVALID_API_KEY'])
  expect((await studio.player('ann')('GET /v1/lobbies')).status).toBe(200)
})

rule('S-KEY-04', async () => {
  const [client] = await keyIds()
  await studio.developer(`DELETE ${project}/keys/${client.key_id}`)
  expect(outcome(await studio.developer(`DELETE ${project}/keys/${client.key_id}`))).toEqual([409, 'KEY_REVOKED'])
})

rule('S-KEY-05', async () => {
  await studio.build()
  const { instance_id: id } = await studio.server()
  await world.settle()
  const [, server] = await keyIds()
  await studio.developer(`DELETE ${project}/keys/${server.key_id}`)
  await world.wait(60)
  expect((await studio.developer(`GET /v1/servers/${id}`)).body.status).toBe('running')
})

rule('S-KEY-06', async () => {
  await studio.queue()
  const lobby = await studio.lobby()
  const other = await world.studio()
  expect(outcome(await other.backend(`GET /v1/lobbies/${lobby.lobby_id}`))).toEqual([404, 'LOBBY_NOT_FOUND'])
  expect(outcome(await other.backend('GET /v1/queues/duel'))).toEqual([404, 'QUEUE_NOT_FOUND'])
  expect((await other.backend('GET /v1/lobbies')).body.total).toBe(0)
})

rule('C-2-08', async () => {
  const { status, body } = await studio.developer('POST /v1/projects', { name: 'Second' })
  expect(status).toBe(201)
  expect(body.keys.map(({ type, key }: Body) => [type, key.slice(0, 8)])).toEqual([
    ['client', 'ck_live_'],
    ['server', 'sk_live_'],
  ])
  const backend = world.as({ 'api-key': body.keys[1].key })
  expect((await backend('POST /v1/queues', { queue_id: 'q', name: 'Q' })).status).toBe(201)
})

rule('C-2-09', async () => {
  const create = (name: unknown) => studio.developer('POST /v1/projects', { name })
  for (const name of ['', 'x'.repeat(65), undefined, 7]) expect(fault(await create(name))).toBe('name')
  for (const name of ['x', '\u{1F3AE}'.repeat(64)]) expect((await create(name)).status).toBe(201)
})

rule('C-2-10', async () => {
  const slugs = []
  for (const name of ['My Arena!', 'my arena', '???', '???']) {
    slugs.push((await studio.developer('POST /v1/projects', { name })).body.slug)
  }
  expect(slugs[0]).toBe('my-arena')
  expect(new Set(slugs).size).toBe(slugs.length)
  // Slugs are unique within an account: another account can have the same one.
  expect((await world.studio()).project.slug).toBe(studio.project.slug)
})

rule('C-2-11', async () => {
  expect((await studio.developer(`GET ${project}`)).status).toBe(200)
  const other = await world.studio()
  for (const method of ['GET', 'DELETE']) {
    expect(outcome(await other.developer(`${method} ${project}`))).toEqual([404, 'PROJECT_NOT_FOUND'])
  }
})

rule('C-2-12', async () => {
  const { body } = await studio.developer(`GET ${project}/keys`)
  expect(body).toMatchObject({ total: 2, limit: 50, offset: 0, has_more: false })
  expect(body.data.filter((key: Body) => 'key' in key)).toEqual([])
})

rule('C-2-13', async () => {
  const mint = (body: unknown) => studio.developer(`POST ${project}/keys`, body)
  for (const [type, prefix] of [
    ['client', 'ck_live_'],
    ['server', 'sk_live_'],
  ]) {
    const { status, body } = await mint({ type, name: 'CI' })
    expect([status, body.type, body.name]).toEqual([201, type, 'CI'])
    expect(body.key.startsWith(prefix)).toBe(true)
  }
  expect((await mint({ type: 'client' })).status).toBe(201)
  for (const type of ['admin', undefined]) expect(fault(await mint({ type }))).toBe('type')
})

rule('C-2-14', async () => {
  const [client] = await keyIds()
  const shape = {
    key_id: client.key_id,
    project_id: studio.projectId,
    type: 'client',
    name: expect.any(String),
    last4: studio.clientKey.slice(-4),
    created_at: world.instant(),
  }
  expect(client).toEqual({ ...shape, revoked_at: null, expires_at: null, minted_by: null, role: null })
  world.clock.advance(5_000)
  await studio.developer(`DELETE ${project}/keys/${client.key_id}`)
  expect((await keyIds())[0]).toMatchObject({ key_id: client.key_id, revoked_at: world.instant() })
})

rule('C-2-15', async () => {
  for (const value of [studio.clientKey, studio.serverKey]) {
    expect(value).toMatch(/^[cs]k_live_[0-9A-Za-z]{36}$/)
    const random = value.slice(8, 38)
    expect(value.slice(38)).toBe(checksum(random, BASE62))
    const typo = `${value.slice(0, 8)}${random}${value.endsWith('0') ? 'zzzzz1' : 'zzzzz0'}`
    expect(outcome(await world.as({ 'api-key': typo })('GET /v1/lobbies'))).toEqual([401, 'INVALID_API_KEY'])
  }
})

rule('C-2-16', async () => {
  const [client] = await keyIds()
  const stored = await world.storage.get('api-key', client.key_id)
  const text = JSON.stringify(stored)
  expect(text).not.toContain(studio.clientKey)
  expect(text).toContain(createHash('sha256').update(studio.clientKey).digest('hex'))
})

rule('C-2-18', async () => {
  const [foreign] = (await world.studio()).project.keys
  for (const id of ['key_none', foreign.key_id]) {
    expect(outcome(await studio.developer(`DELETE ${project}/keys/${id}`))).toEqual([404, 'KEY_NOT_FOUND'])
  }
})

rule('C-2-19', async () => {
  await studio.queue()
  const lobby = await studio.lobby()
  const stream = await studio.stream(lobby)
  await stream.untilEvents(1)
  await studio.developer(`DELETE ${project}`)
  await world.settle()
  await stream.untilEnd()
  expect(stream.names()).toEqual(['connected 1', 'lobby_deleted 2'])
})

rule('C-2-20', async () => {
  await studio.build()
  world.orchestrator.script = () => 'starting'
  const refused = async () => outcome(await studio.developer(`DELETE ${project}`))
  const { instance_id: id } = await studio.server()
  expect(await refused()).toEqual([409, 'PROJECT_HAS_RUNNING_SERVERS'])
  await world.settle()
  world.orchestrator.makeReady(id)
  await world.settle()
  expect(await refused()).toEqual([409, 'PROJECT_HAS_RUNNING_SERVERS'])
  expect((await studio.backend(`DELETE /v1/servers/${id}`)).body.status).toBe('stopping')
  expect(await refused()).toEqual([409, 'PROJECT_HAS_RUNNING_SERVERS'])
  await world.settle()
  expect((await studio.developer(`DELETE ${project}`)).status).toBe(204)
})

rule('C-2-23', async () => {
  await studio.queue()
  await studio.lobby()
  await studio.developer(`DELETE ${project}`)
  await world.settle()
  expect(await world.storage.get('queue', `${studio.projectId}/duel`)).toBeUndefined()
})
