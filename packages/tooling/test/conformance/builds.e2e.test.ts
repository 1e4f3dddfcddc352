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

const uploadUrl = async (name = 'arena'): Promise<Body> =>
  (await studio.backend('POST /v1/builds/upload-url', { name, executable_path: 'bin/server' })).body
const image = async (name = 'game'): Promise<Body> =>
  (await studio.backend('POST /v1/builds/docker-image', { name, image_url: 'example.com/game:1' })).body
const read = async ({ build_id: id }: Body): Promise<Body> => (await studio.backend(`GET /v1/builds/${id}`)).body
const badArchive = () => {
  world.buildStore.verdict = () => ({ ok: false, message: 'no regular file at bin/server' })
}

rule('S-BLD-01', async () => {
  const { build } = await uploadUrl()
  const now = world.instant()
  expect(build).toEqual({
    build_id: expect.stringMatching(/^bld_/),
    name: 'arena',
    version: 1,
    status: 'uploading',
    build_type: 'zip',
    created_at: now,
    updated_at: now,
    executable_path: 'bin/server',
    error_message: null,
    disabled: false,
    draining_since: null,
    drained_at: null,
    created_by: { kind: 'key', id: expect.stringMatching(/^key_/), name: expect.any(String) },
  })
})

rule('S-BLD-02', async () => {
  const build = await image()
  expect(build).toMatchObject({ build_type: 'docker_image', image_url: 'example.com/game:1', version: 1 })
  expect('executable_path' in build).toBe(false)
})

rule('S-BLD-03', async () => {
  const versions = []
  for (const name of ['a', 'a', 'b', 'a']) versions.push((await uploadUrl(name)).build.version)
  versions.push((await image('a')).version)
  expect(versions).toEqual([1, 2, 1, 3, 4])
})

rule('S-BLD-04', async () => {
  expect((await studio.build()).error_message).toBeNull()
  badArchive()
  const failed = await studio.build()
  expect(failed).toMatchObject({ status: 'failed', error_message: 'no regular file at bin/server' })
  const { body } = await studio.backend(`GET /v1/builds/${failed.build_id}/logs`)
  expect(body.logs.map(({ message }: Body) => message).join('\n')).toContain('no regular file at bin/server')
})

rule('S-BLD-05', async () => {
  const body = await uploadUrl()
  expect(Object.keys(body).sort()).toEqual(['build', 'build_id', 'expires_at', 'upload_url'])
  expect([body.build.status, body.build.build_id]).toEqual(['uploading', body.build_id])
  expect(new URL(body.upload_url).protocol).toMatch(/^https?:$/)
})

rule('S-BLD-06', async () => {
  const upload = await uploadUrl()
  await studio.put(upload.upload_url)
  expect((await read(upload)).status).toBe('processing')
})

rule('S-BLD-07', async () => {
  const upload = await uploadUrl()
  await studio.put(upload.upload_url)
  await world.settle()
  expect((await read(upload)).status).toBe('ready')
})

rule('S-BLD-08', async () => {
  badArchive()
  const { status, error_message: message } = await studio.build()
  expect([status, typeof message]).toEqual(['failed', 'string'])
})

rule('S-BLD-09', async () => {
  const build = await image()
  expect(build.status).toBe('processing')
  await world.settle()
  expect((await read(build)).status).toBe('ready')
  const { body } = await studio.backend(`GET /v1/builds/${build.build_id}/logs`)
  expect(JSON.stringify(body.logs)).toContain('pulled example.com/game:1')
})

rule('S-BLD-10', async () => {
  const other = await world.studio()
  const body = { name: 'arena', executable_path: 'server' }
  const own = await studio.developer(`POST /v1/builds/upload-url?project_id=${studio.projectId}`, body)
  expect((await studio.backend(`GET /v1/builds/${own.body.build_id}`)).status).toBe(200)
  for (const id of [other.projectId, 'prj_none']) {
    for (const [what, sent] of [
      [`POST /v1/builds/upload-url?project_id=${id}`, body],
      [`POST /v1/builds/docker-image?project_id=${id}`, { name: 'g', image_url: 'example.com/g' }],
      [`GET /v1/builds?project_id=${id}`, undefined],
    ] as const) {
      expect(outcome(await studio.developer(what, sent)), what).toEqual([404, 'PROJECT_NOT_FOUND'])
    }
  }
})

rule('S-BLD-11', async () => {
  const other = await world.studio()
  const body = { name: 'arena', executable_path: 'server' }
  const { status, body: upload } = await studio.backend(
    `POST /v1/builds/upload-url?project_id=${other.projectId}`,
    body,
  )
  expect(status).toBe(201)
  expect((await studio.backend('GET /v1/builds?project_id=prj_none')).body.data).toEqual([upload.build])
  expect((await other.backend('GET /v1/builds')).body.total).toBe(0)
})

rule('S-BLD-12', async () => {
  const build = await studio.build()
  expect((await studio.backend(`GET /v1/builds/${build.build_id}`)).body).toEqual(build)
  expect((await studio.developer(`GET /v1/builds/${build.build_id}`)).body).toEqual(build)
})

rule('C-4-01', async () => {
  const answer = await studio.backend('POST /v1/builds/upload-url', { name: 'arena', executable_path: 'server' })
  expect([answer.status, answer.body.expires_at]).toEqual([201, world.instant(900)])
  world.clock.advance(900_000 - 1)
  expect((await studio.put(answer.body.upload_url)).status).toBe(204)
})

rule('C-4-02', async () => {
  const upload = await uploadUrl()
  expect((await studio.put(upload.upload_url)).status).toBe(204)
  expect(outcome(await studio.put(upload.upload_url))).toEqual([403, 'UPLOAD_REJECTED'])
  await world.settle()
  expect(outcome(await studio.put(upload.upload_url))).toEqual([403, 'UPLOAD_REJECTED'])
})

rule('C-4-03', async () => {
  const upload = await uploadUrl()
  await world.wait(900)
  expect(outcome(await studio.put(upload.upload_url))).toEqual([403, 'UPLOAD_REJECTED'])
  expect(await read(upload)).toMatchObject({ status: 'failed', error_message: 'upload expired' })
})

rule('C-4-04', async () => {
  badArchive()
  const upload = await uploadUrl()
  expect((await studio.put(upload.upload_url)).status).toBe(204)
  await world.settle()
  expect((await read(upload)).status).toBe('failed')
})

rule('C-4-05', async () => {
  world = await World.open({ core: { maxUploadBytes: 10 } })
  studio = await world.studio()
  const upload = await uploadUrl()
  expect(outcome(await studio.put(upload.upload_url, 'x'.repeat(11)))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  expect(outcome(await studio.put(`${upload.upload_url}x`))).toEqual([403, 'UPLOAD_REJECTED'])
  expect((await read(upload)).status).toBe('uploading')
  expect((await studio.put(upload.upload_url)).status).toBe(204)
})

rule('C-4-06', async () => {
  const body = { name: 'game', image_url: 'example.com/game:1' }
  const answer = await studio.backend('POST /v1/builds/docker-image', body)
  expect([answer.status, answer.body.status]).toEqual([201, 'processing'])
})

rule('C-4-07', async () => {
  const ready = await studio.build('a')
  const waiting = (await uploadUrl('b')).build
  const docker = await image('a')
  const gone = await studio.build('c')
  await studio.backend(`DELETE /v1/builds/${gone.build_id}`)
  const list = async (query = '') => {
    const { body } = await studio.backend(`GET /v1/builds${query}`)
    expect(body.total).toBe(body.data.length)
    return body.data.map((build: Body) => build.build_id).sort()
  }
  const ids = (...builds: Body[]) => builds.map((build) => build.build_id).sort()
  expect(await list()).toEqual(ids(ready, waiting, docker))
  expect(await list('?name=a')).toEqual(ids(ready, docker))
  expect(await list('?status=uploading')).toEqual(ids(waiting))
  expect(await list('?status=deleted')).toEqual(ids(gone))
  expect(await list('?build_type=docker_image')).toEqual(ids(docker))
  expect(await list('?name=a&build_type=zip')).toEqual(ids(ready))
  for (const query of ['status=gone', 'build_type=exe']) {
    expect(fault(await studio.backend(`GET /v1/builds?${query}`))).toBe(query.split('=')[0])
  }
})

rule('C-4-08', async () => {
  const build = await studio.build()
  const { status, text } = await studio.backend(`DELETE /v1/builds/${build.build_id}`)
  expect([status, text]).toEqual([204, ''])
  expect((await read(build)).status).toBe('deleted')
  expect(outcome(await studio.backend(`DELETE /v1/builds/${build.build_id}`))).toEqual([404, 'BUILD_NOT_FOUND'])
})

rule('C-4-09', async () => {
  const build = await studio.build()
  const server = await studio.server()
  await world.settle()
  expect(outcome(await studio.backend(`DELETE /v1/builds/${build.build_id}`))).toEqual([409, 'BUILD_IN_USE'])
  await studio.backend(`DELETE /v1/servers/${server.instance_id}`)
  await world.settle()
  expect((await studio.backend(`DELETE /v1/builds/${build.build_id}`)).status).toBe(204)
})

rule('C-4-10', async () => {
  const build = await studio.build()
  const { body } = await studio.backend(`GET /v1/builds/${build.build_id}/logs`)
  expect(body).toEqual({ build_id: build.build_id, logs: expect.any(Array) })
  expect(body.logs.length).toBeGreaterThan(0)
  for (const line of body.logs) expect(Object.keys(line)).toEqual(['timestamp', 'level', 'message'])
})

rule('C-4-11', async () => {
  const build = await studio.build()
  await studio.backend(`DELETE /v1/builds/${build.build_id}`)
  expect((await studio.build()).version).toBe(2)
})

rule('C-4-12', async () => {
  const uploads = await Promise.all(Array.from({ length: 20 }, () => uploadUrl()))
  const versions = uploads.map(({ build }) => build.version).sort((a, b) => a - b)
  expect(versions).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
})

rule('C-4-13', async () => {
  const create = (path: unknown) =>
    studio.backend('POST /v1/builds/upload-url', { name: 'arena', executable_path: path })
  for (const path of ['/bin/server', '../server', 'bin/../server', '', 'C:\\server', undefined, '..']) {
    expect(fault(await create(path)), String(path)).toBe('executable_path')
  }
  for (const path of ['server', 'bin/server', 'bin/server..x']) expect((await create(path)).status).toBe(201)
})

rule('C-4-14', async () => {
  const create = (url: unknown) => studio.backend('POST /v1/builds/docker-image', { name: 'game', image_url: url })
  for (const url of [
    'https://example.com/game',
    'docker://example.com/game',
    'user:password@example.com/game',
    'example.com/Game',
    'example.com/game:',
    'example.com/game@sha256:12',
    'a b',
    '',
    undefined,
  ]) {
    expect(fault(await create(url)), String(url)).toBe('image_url')
  }
  const digest = `example.com/game@sha256:${'a'.repeat(64)}`
  for (const url of ['game', 'game:1.0', 'example.com:5000/team/game:V1', digest]) {
    expect((await create(url)).status, url).toBe(201)
  }
})

rule('C-4-15', async () => {
  for (const [what, body] of [
    ['GET /v1/builds', undefined],
    ['POST /v1/builds/upload-url', { name: 'arena', executable_path: 'server' }],
    ['POST /v1/builds/docker-image', { name: 'arena', image_url: 'game' }],
  ] as const) {
    expect(fault(await studio.developer(what, body)), what).toBe('project_id')
  }
})

rule('C-4-16', async () => {
  const build = await studio.build()
  for (const rest of ['', '/logs']) {
    const what = `GET /v1/builds/${build.build_id}${rest}?project_id=prj_none`
    expect((await studio.developer(what)).status, what).toBe(200)
  }
})

rule('C-4-17', async () => {
  const create = (name: unknown) => studio.backend('POST /v1/builds/upload-url', { name, executable_path: 'server' })
  for (const name of ['', '.a', '-a', '_a', 'a b', 'a/b', 'é', 'x'.repeat(65)]) {
    expect(fault(await create(name)), name).toBe('name')
  }
  for (const name of ['a', '0', 'Arena_1.2-rc', 'x'.repeat(64)]) expect((await create(name)).status).toBe(201)
})

rule('C-4-18', async () => {
  await studio.build()
  const second = await studio.build()
  badArchive()
  await studio.build()
  await uploadUrl()
  const server = await studio.server()
  await world.settle()
  const pinned = { build_id: second.build_id, build_version: 2 }
  expect((await studio.backend(`GET /v1/servers/${server.instance_id}`)).body).toMatchObject(pinned)
  world.buildStore.verdict = () => ({ ok: true, unpackedBytes: 1, entries: 1 })
  expect((await studio.build()).status).toBe('ready')
  expect((await studio.backend(`GET /v1/servers/${server.instance_id}`)).body).toMatchObject(pinned)
})

rule('C-4-19', async () => {
  const build = await studio.build()
  const other = await world.studio()
  for (const caller of [other.backend, other.developer]) {
    for (const what of ['GET', 'DELETE']) {
      expect(outcome(await caller(`${what} /v1/builds/${build.build_id}`))).toEqual([404, 'BUILD_NOT_FOUND'])
    }
  }
})

rule('C-4-20', async () => {
  const upload = await uploadUrl()
  const [first, second] = [new URL(upload.upload_url), new URL((await uploadUrl()).upload_url)]
  const mixed = new URL(first.href.replace(first.pathname, second.pathname))
  const later = new URL(first.href.replace(/expires=[^&]+/, 'expires=99999999999999'))
  for (const url of [mixed.href, later.href, `${first.origin}${first.pathname}`]) {
    expect(outcome(await studio.put(url)), url).toEqual([403, 'UPLOAD_REJECTED'])
  }
})
