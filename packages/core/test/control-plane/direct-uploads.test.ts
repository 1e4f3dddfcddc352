import { BuildStoreAway, StorageUnavailable } from '@matchyard/core/ports'
import { FakeDirectUploads, sha256Of } from '@matchyard/testkit'
import { describe, expect, test } from 'vitest'
import { refused, uploadOf, withProject } from './service'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const zip = { name: 'arena', executablePath: 'bin/server' }
const bytes = (text: string) => new TextEncoder().encode(text)

/** Returns a project whose uploads go directly to the build store. */
async function past() {
  const world = await withProject()
  const direct = new FakeDirectUploads(world.buildStore)
  world.buildStore.direct = direct
  const { matchyard, projectId, clock, settle } = world
  const upload = async (announced: { sizeBytes?: number; sha256?: string } = {}) => {
    const made = await matchyard.builds.createUpload({ projectId, ...zip, ...announced })
    return { ...made, id: made.build.id }
  }
  /** Lets time pass until the next check, and runs the work that follows. */
  const pass = async (ms = 15 * SECOND) => {
    clock.advance(ms)
    await settle()
  }
  const kept = (id: string) => Buffer.from(world.buildStore.archives.get(id) ?? []).toString()
  return { ...world, direct, upload, pass, kept }
}

describe('an upload that goes to the store itself', () => {
  test('is looked for by a job, kept, and processed; its URL is the store’s and the same when it is asked for again', async () => {
    const { direct, upload, pass, read, kept, clock } = await past()
    const { id, uploadPath, expiresAt } = await upload({ sizeBytes: 5, sha256: sha256Of(bytes('first')) })
    expect(uploadPath).toBe(`https://store.example/${id}?signature=${expiresAt}`)
    const terms = { at: clock.now(), expiresAt, sizeBytes: 5, sha256: sha256Of(bytes('first')) }
    expect(direct.terms.get(id)).toEqual(terms)
    await pass()
    expect((await read(id)).status).toBe('uploading')
    direct.arrived.set(id, bytes('first'))
    await pass()
    expect(await read(id)).toMatchObject({ status: 'ready', sizeBytes: 5, sha256: sha256Of(bytes('first')) })
    // A later upload to the same URL changes nothing.
    direct.arrived.set(id, bytes('second'))
    await pass()
    expect([(await read(id)).status, kept(id)]).toEqual(['ready', 'first'])
  })

  test.each([
    [
      'another size',
      { sizeBytes: 4 },
      'UPLOAD_REJECTED: the archive has 5 bytes, but the request for its upload URL gave a size of 4 bytes',
    ],
    ['another hash', { sha256: 'a'.repeat(64) }, 'UPLOAD_REJECTED: the archive has the SHA-256 '],
  ])('with %s than was announced fails its build, and goes', async (_, announced, message) => {
    const { direct, upload, pass, read, buildStore, told } = await past()
    const { id } = await upload(announced)
    direct.arrived.set(id, bytes('first'))
    await pass()
    const build = await read(id)
    expect(build).toMatchObject({ status: 'failed', errorMessage: expect.stringContaining(message) })
    expect(buildStore.archives.has(id)).toBe(false)
    expect(told).toContainEqual(expect.objectContaining({ type: 'build_failed', buildId: id }))
  })

  test('larger than any may be fails its build before a byte of it is read', async () => {
    const { direct, upload, pass, read } = await past()
    const { id } = await upload()
    direct.trouble = (step) => expect(step).toBe('find')
    direct.find = async () => ({ sizeBytes: 2 ** 40, tag: 'huge' })
    await pass()
    expect((await read(id)).errorMessage).toBe(`PAYLOAD_TOO_LARGE: an archive may have at most ${2 * 1024 ** 3} bytes`)
  })

  test('that never comes fails its build when its URL expires, and one that came at the last moment is taken', async () => {
    const { direct, upload, pass, read } = await past()
    const [never, late] = [await upload(), await upload()]
    await pass(15 * MINUTE - SECOND)
    direct.arrived.set(late.id, bytes('late'))
    await pass(SECOND)
    expect(await read(never.id)).toMatchObject({ status: 'failed', errorMessage: 'upload expired' })
    expect((await read(late.id)).status).toBe('ready')
  })

  test('replaced while it is read is looked at anew', async () => {
    const { direct, upload, pass, read, kept } = await past()
    const { id } = await upload()
    direct.arrived.set(id, bytes('first'))
    direct.trouble = (step) => {
      if (step === 'keep') direct.arrived.set(id, bytes('other'))
    }
    await pass()
    await pass()
    expect([(await read(id)).status, kept(id)]).toEqual(['ready', 'other'])
  })

  test('is gone on with where its node ended between the claim and the archive in its place', async () => {
    const { direct, upload, pass, read, kept } = await past()
    const { id } = await upload()
    direct.arrived.set(id, bytes('first'))
    direct.trouble = (step) => {
      if (step === 'claimed') throw new Error('its node ended')
    }
    await pass()
    expect(await read(id)).toMatchObject({ status: 'uploading', sha256: sha256Of(bytes('first')) })
    direct.trouble = undefined
    await pass(10 * MINUTE)
    expect([(await read(id)).status, kept(id)]).toEqual(['ready', 'first'])
  })

  test('that was claimed and overwritten before it was kept fails its build', async () => {
    const { direct, upload, pass, read } = await past()
    const { id } = await upload()
    direct.arrived.set(id, bytes('first'))
    direct.trouble = (step) => {
      if (step === 'claimed') throw new Error('its node ended')
    }
    await pass()
    direct.trouble = undefined
    direct.arrived.set(id, bytes('other'))
    await pass(10 * MINUTE)
    expect(await read(id)).toMatchObject({ status: 'failed', errorMessage: expect.stringMatching(/^UPLOAD_REJECTED/) })
  })

  test('that was kept before its node could say so is its build’s', async () => {
    const { direct, upload, pass, read, buildStore } = await past()
    const { id } = await upload()
    direct.arrived.set(id, bytes('first'))
    direct.trouble = (step) => {
      if (step !== 'claimed') return
      buildStore.archives.set(id, bytes('first'))
      direct.arrived.delete(id)
      throw new Error('the answer was lost')
    }
    await pass()
    await pass(10 * MINUTE)
    expect((await read(id)).status).toBe('ready')
  })

  test('of a build that is deleted meanwhile leaves nothing', async () => {
    const { direct, upload, pass, read, buildStore, matchyard, projectId } = await past()
    const { id } = await upload()
    direct.arrived.set(id, bytes('first'))
    direct.trouble = async (step) => {
      if (step === 'claimed') await matchyard.builds.delete({ projectId, buildId: id })
    }
    await pass()
    expect((await read(id)).status).toBe('deleted')
    expect(buildStore.archives.size).toBe(0)
  })

  test('waits through an hour in which the store does not answer, and so does its processing', async () => {
    const { direct, upload, pass, read, buildStore, clock, settle } = await past()
    const [before, after] = [await upload(), await upload()]
    for (const { id } of [before, after]) direct.arrived.set(id, bytes('first'))
    const away = () => {
      throw new BuildStoreAway('the bucket does not answer')
    }
    const { verdict } = buildStore
    buildStore.verdict = away
    await pass()
    expect((await read(before.id)).status).toBe('processing')
    const late = await upload()
    direct.arrived.set(late.id, bytes('late'))
    direct.trouble = away
    for (let looks = 0; looks < 60; looks++) await pass(MINUTE)
    expect((await read(before.id)).status).toBe('processing')
    expect((await read(late.id)).status).toBe('uploading')
    direct.trouble = undefined
    buildStore.verdict = verdict
    for (let looks = 0; looks < 15; looks++) await pass(MINUTE)
    for (const { id } of [before, after, late]) expect((await read(id)).status).toBe('ready')
    clock.advance(MINUTE)
    await settle()
  })

  test('asks less and less often, and no more once it is over', async () => {
    const { direct, upload, read, clock, settle } = await past()
    const { id } = await upload()
    let looks = 0
    direct.trouble = () => {
      looks++
    }
    for (let seconds = 0; seconds < 1_000; seconds++) {
      clock.advance(SECOND)
      await settle()
    }
    expect((await read(id)).status).toBe('failed')
    expect(looks).toBeLessThan(200)
    expect(looks).toBeGreaterThan(90)
  })
})

describe('what was announced', () => {
  test('holds for an upload through the service, too, and does not spend the URL', async () => {
    const { matchyard, projectId, settle, read } = await withProject()
    const announced = { sizeBytes: 5, sha256: sha256Of(bytes('first')) }
    const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip, ...announced })
    const send = (text: string) => matchyard.builds.receiveUpload(uploadOf(uploadPath, [text]))
    for (const [text, detail] of [
      ['four', /4 bytes, but .* a size of 5 bytes/],
      ['longer', /6 bytes, but .* a size of 5 bytes/],
      ['other', /SHA-256/],
    ] as const) {
      const refusal = await refused(send(text))
      expect([refusal.code, refusal.detail]).toEqual(['UPLOAD_REJECTED', expect.stringMatching(detail)])
      expect((await read(build.id)).status).toBe('uploading')
    }
    await send('first')
    await settle()
    expect((await read(build.id)).status).toBe('ready')
  })

  test('must be what an archive can have', async () => {
    const { matchyard, projectId } = await withProject()
    const ask = (announced: object) => refused(matchyard.builds.createUpload({ projectId, ...zip, ...announced }))
    for (const sizeBytes of [0, -1, 1.5, Number.NaN]) expect((await ask({ sizeBytes })).code).toBe('VALIDATION_FAILED')
    for (const sha256 of ['', 'a'.repeat(63), 'A'.repeat(64)])
      expect((await ask({ sha256 })).code).toBe('VALIDATION_FAILED')
    expect((await ask({ sizeBytes: 2 ** 40 })).code).toBe('PAYLOAD_TOO_LARGE')
  })
})

describe('a launch whose build is on a machine that does not answer', () => {
  test('waits and goes on, with one attempt, longer than a launch may take', async () => {
    const { matchyard, projectId, orchestrator, clock, settle, build } = await withProject()
    await build(projectId)
    let away = true
    orchestrator.script = () => (away ? 'away' : 'ready')
    const server = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    const look = () => matchyard.servers.get({ projectId, instanceId: server.id })
    for (let seconds = 0; seconds < 100; seconds++) {
      clock.advance(SECOND)
      await settle()
    }
    expect(await look()).toMatchObject({ status: 'launching', launchAttempts: 1, attempt: 1 })
    expect(orchestrator.launches.length).toBeGreaterThan(90)
    away = false
    clock.advance(2 * SECOND)
    await settle()
    expect(await look()).toMatchObject({ status: 'running', attempt: 1 })
  })

  test('comes to nothing once it has waited for as long as it might have for room', async () => {
    const { matchyard, projectId, orchestrator, clock, settle, build } = await withProject()
    await build(projectId)
    orchestrator.script = () => 'away'
    const server = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    const from = clock.now()
    const look = () => matchyard.servers.get({ projectId, instanceId: server.id })
    while ((await look()).status === 'launching' && clock.now() - from < 10 * MINUTE) {
      clock.advance(SECOND)
      await settle()
    }
    expect((await look()).status).toBe('failed')
    expect(clock.now() - from).toBeGreaterThan(2 * MINUTE)
    expect(clock.now() - from).toBeLessThan(4 * MINUTE)
  })
})

test('a store that is away is a storage that is', () => {
  expect(new BuildStoreAway('x')).toBeInstanceOf(StorageUnavailable)
})
