import { FakeBuildStore } from '@matchyard/testkit'
import { describe, expect, test } from 'vitest'
import { MAX_UPLOADS, MAX_UPLOADS_PER_ACCOUNT, uploadSlots } from '../../src/node/upload-slots'
import { PRUNE_EVERY_MS } from '../../src/worker/prune'
import { controlPlane, refusal, refused, tally, uploadOf, withProject } from './service'

const MINUTE = 60_000
const zip = { name: 'arena', executablePath: 'bin/server' }

describe('an upload', () => {
  test('goes from uploading through processing to ready', async () => {
    const { matchyard, projectId, clock, settle, read, buildStore, told } = await withProject()
    const { build, uploadPath, expiresAt } = await matchyard.builds.createUpload({ projectId, ...zip })
    expect(build).toMatchObject({ status: 'uploading', type: 'zip', buildVersion: 1, executablePath: 'bin/server' })
    expect(expiresAt).toBe(clock.now() + 15 * MINUTE)
    expect(uploadPath).toMatch(/^\/v1\/uploads\/bld_\w+\?expires=\d+&signature=[\w-]{43}$/)
    await matchyard.builds.receiveUpload(uploadOf(uploadPath, ['one', 'two']))
    expect(await read(build.id)).toMatchObject({ status: 'processing', sizeBytes: 6 })
    await settle()
    expect(await read(build.id)).toMatchObject({ status: 'ready', errorMessage: null })
    expect(Buffer.from(buildStore.archives.get(build.id) ?? []).toString()).toBe('onetwo')
    const { logs } = await matchyard.builds.logs({ projectId, buildId: build.id })
    expect(logs.map((line) => line.message)).toEqual(['processing arena version 1', '1 entries', 'ready'])
    expect(told).toContainEqual(expect.objectContaining({ type: 'build_ready', buildId: build.id, projectId }))
  })

  test('that processing finds bad fails with its reason, and its archive goes', async () => {
    const { matchyard, projectId, settle, read, buildStore, told, storage, accountId } = await withProject()
    buildStore.verdict = () => ({ ok: false, message: 'entry "../x" leaves the archive' })
    const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
    await matchyard.builds.receiveUpload(uploadOf(uploadPath, ['bad']))
    await settle()
    const errorMessage = 'entry "../x" leaves the archive'
    expect(await read(build.id)).toMatchObject({ status: 'failed', errorMessage })
    expect(told).toContainEqual(expect.objectContaining({ type: 'build_failed', buildId: build.id, errorMessage }))
    expect(buildStore.archives.size).toBe(0)
    expect(await storage.counters.read(`builds:${accountId}`)).toBe(0)
  })

  test('is not taken once its account is disabled, nor where that comes to pass on the way', async () => {
    const { matchyard, projectId, accountId, read } = await withProject()
    const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
    const halfway = async function* () {
      yield 'one'
      await matchyard.accounts.disable({ accountId })
      yield 'two'
    }
    for (const body of [halfway(), ['one']]) {
      const { code, detail } = await refused(matchyard.builds.receiveUpload(uploadOf(uploadPath, body)))
      expect([code, detail]).toEqual(['UPLOAD_REJECTED', expect.stringMatching(/disabled/)])
    }
    expect((await read(build.id)).status).toBe('uploading')
    await matchyard.accounts.enable({ accountId })
    await matchyard.builds.receiveUpload(uploadOf(uploadPath, ['one']))
  })

  test('is taken once', async () => {
    const { matchyard, projectId, settle, read } = await withProject()
    const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
    await matchyard.builds.receiveUpload(uploadOf(uploadPath, ['one']))
    const again = () => refusal(matchyard.builds.receiveUpload(uploadOf(uploadPath, ['two'])))
    expect(await again()).toBe('UPLOAD_REJECTED')
    await settle()
    expect(await again()).toBe('UPLOAD_REJECTED')
    expect((await read(build.id)).status).toBe('ready')
  })

  test('sent by many at once is one sender’s, and the others are refused before their bodies are read', async () => {
    for (let round = 0; round < 30; round++) {
      const { matchyard, projectId, buildStore, settle, read } = await withProject()
      const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
      const won: string[] = []
      const calls = Array.from({ length: 6 }, async (_, n) => {
        const letter = String.fromCharCode(97 + n)
        await matchyard.builds.receiveUpload(uploadOf(uploadPath, slowly(letter, ((n * 7 + round) % 5) + 1)))
        won.push(letter)
      })
      expect(await tally(calls)).toEqual({ ok: 1, CONFLICT: 5 })
      await settle()
      const kept = Buffer.from(buildStore.archives.get(build.id) ?? []).toString()
      expect(new Set(kept)).toEqual(new Set(won))
      expect(await read(build.id)).toMatchObject({ status: 'ready', sizeBytes: kept.length })
    }
  })

  test('sent by many at once through stores that do not see each other is one sender’s to the last byte', async () => {
    for (let round = 0; round < 30; round++) {
      const { matchyard, projectId, buildStore, settle, read } = await withProject()
      // Each upload runs on a node with its own view of the drafts, so that only the claim decides.
      buildStore.receive = async (id, body, options) => {
        const node = new FakeBuildStore()
        const received = await node.receive(id, body, options)
        buildStore.archives.set(id, node.archives.get(id) ?? new Uint8Array())
        return received
      }
      const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
      const won: string[] = []
      const calls = Array.from({ length: 6 }, async (_, n) => {
        const letter = String.fromCharCode(97 + n)
        await matchyard.builds.receiveUpload(uploadOf(uploadPath, slowly(letter, ((n * 7 + round) % 5) + 1)))
        won.push(letter)
      })
      expect(await tally(calls)).toEqual({ ok: 1, UPLOAD_REJECTED: 5 })
      await settle()
      const kept = Buffer.from(buildStore.archives.get(build.id) ?? []).toString()
      expect(new Set(kept)).toEqual(new Set(won))
      expect(await read(build.id)).toMatchObject({ status: 'ready', sizeBytes: kept.length })
    }
  })

  test('that breaks off lets the next one in', async () => {
    const { matchyard, projectId, settle, read } = await withProject()
    const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
    let breakOff = () => {}
    const broken = new Promise<void>((_, reject) => {
      breakOff = () => reject(new Error('the sender is gone'))
    })
    async function* first() {
      yield 'half'
      await broken
    }
    const one = matchyard.builds.receiveUpload(uploadOf(uploadPath, first()))
    const send = () => matchyard.builds.receiveUpload(uploadOf(uploadPath, ['whole']))
    expect(await refusal(send())).toBe('CONFLICT')
    breakOff()
    expect(await refusal(one)).toBe('UNAVAILABLE')
    await send()
    await settle()
    expect((await read(build.id)).status).toBe('ready')
  })

  test('of which an account has eight under way is refused for that account alone, until one ends', async () => {
    const slots = uploadSlots()
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const underway = Array.from({ length: MAX_UPLOADS_PER_ACCOUNT }, () => slots.run('acc_1', () => ended))
    expect(await refusal(slots.run('acc_1', async () => {}))).toBe('UNAVAILABLE')
    expect(await slots.run('acc_2', async () => 'taken')).toBe('taken')
    for (let n = 0; underway.length < MAX_UPLOADS; n++) underway.push(slots.run(`acc_more_${n}`, () => ended))
    expect(await refusal(slots.run('acc_3', async () => {}))).toBe('UNAVAILABLE')
    end()
    await Promise.all(underway)
    expect(await slots.run('acc_1', async () => 'taken')).toBe('taken')
  })

  test('that trickles is cut off when its URL expires', async () => {
    const { matchyard, projectId, clock } = await withProject()
    const { uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
    let chunks = 0
    async function* trickle() {
      for (;;) {
        chunks++
        clock.advance(MINUTE)
        yield 'x'
      }
    }
    expect(await refusal(matchyard.builds.receiveUpload(uploadOf(uploadPath, trickle())))).toBe('UPLOAD_REJECTED')
    expect(chunks).toBe(15)
  })

  test('that was cut off is swept at the start and again and again, and a sweep that fails stops neither', async () => {
    const { matchyard, buildStore, clock, settle } = await controlPlane()
    await matchyard.open()
    const atStart = buildStore.sweeps
    expect(atStart).toBe(1)
    buildStore.sweep = async () => {
      buildStore.sweeps++
      throw new Error('EIO')
    }
    clock.advance(PRUNE_EVERY_MS)
    await settle()
    expect(buildStore.sweeps).toBeGreaterThan(atStart)
  })

  test('with a bent or foreign signature is rejected', async () => {
    const { matchyard, projectId } = await withProject()
    const one = await matchyard.builds.createUpload({ projectId, ...zip })
    const two = await matchyard.builds.createUpload({ projectId, ...zip })
    const good = uploadOf(one.uploadPath, ['x'])
    const bent = [
      { ...good, signature: `${good.signature.slice(0, -1)}_` },
      { ...good, signature: '' },
      { ...good, expires: String(Number(good.expires) + 1) },
      { ...good, expires: '' },
      { ...good, expires: 'soon' },
      { ...good, buildId: two.build.id },
      { ...uploadOf(two.uploadPath, ['x']), buildId: one.build.id },
    ]
    for (const upload of bent) expect(await refusal(matchyard.builds.receiveUpload(upload))).toBe('UPLOAD_REJECTED')
    await matchyard.builds.receiveUpload(uploadOf(one.uploadPath, ['x']))
  })

  test('that is too large, breaks off, or meets a full disk does not spend the URL', async () => {
    const plane = await controlPlane({ maxUploadBytes: 10 })
    const { projectId } = await plane.project()
    const { matchyard, buildStore, settle } = plane
    const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
    const send = (chunks: Iterable<string> | AsyncIterable<string>) =>
      matchyard.builds.receiveUpload(uploadOf(uploadPath, chunks))
    const tooLarge = await refused(send(['123456', '78901']))
    expect([tooLarge.code, tooLarge.details]).toEqual(['PAYLOAD_TOO_LARGE', { limit: 10 }])
    expect(await refusal(send(breakingOff()))).toBe('UNAVAILABLE')
    const receive = buildStore.receive.bind(buildStore)
    buildStore.receive = async (id, body, options) => {
      await receive(id, body, options)
      buildStore.archives.delete(id)
      throw new Error('ENOSPC')
    }
    expect(await refusal(send(['full']))).toBe('UNAVAILABLE')
    buildStore.receive = receive
    expect(buildStore.archives.size).toBe(0)
    await send(['1234567890'])
    await settle()
    expect(await matchyard.builds.get({ projectId, buildId: build.id })).toMatchObject({
      status: 'ready',
      sizeBytes: 10,
    })
  })

  test('expires after 15 minutes: the URL is dead and the build has failed', async () => {
    const { matchyard, projectId, clock, settle, read, storage, accountId } = await withProject()
    const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
    clock.advance(15 * MINUTE - 1)
    await settle()
    expect((await read(build.id)).status).toBe('uploading')
    clock.advance(1)
    expect(await refusal(matchyard.builds.receiveUpload(uploadOf(uploadPath, ['late'])))).toBe('UPLOAD_REJECTED')
    await settle()
    expect(await read(build.id)).toMatchObject({ status: 'failed', errorMessage: 'upload expired' })
    expect(await storage.counters.read(`builds:${accountId}`)).toBe(0)
  })

  test('under way when its time runs out or its build is deleted leaves nothing', async () => {
    for (const end of ['expire', 'delete'] as const) {
      const { matchyard, projectId, clock, settle, read, buildStore } = await withProject()
      const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
      async function* slow() {
        yield 'half'
        if (end === 'delete') await matchyard.builds.delete({ projectId, buildId: build.id })
        else clock.advance(15 * MINUTE)
        await settle()
        yield 'done'
      }
      expect(await refusal(matchyard.builds.receiveUpload(uploadOf(uploadPath, slow())))).toBe('UPLOAD_REJECTED')
      await settle()
      expect((await read(build.id)).status).toBe(end === 'delete' ? 'deleted' : 'failed')
      expect(buildStore.archives.size).toBe(0)
    }
  })

  test('whose build is deleted between its end and its place leaves nothing', async () => {
    const { matchyard, projectId, settle, read, buildStore } = await withProject()
    const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
    const receive = buildStore.receive.bind(buildStore)
    buildStore.receive = async (id, body, options) => {
      const received = await receive(id, body, options)
      await matchyard.builds.delete({ projectId, buildId: id })
      return received
    }
    expect(await refusal(matchyard.builds.receiveUpload(uploadOf(uploadPath, ['x'])))).toBe('UPLOAD_REJECTED')
    await settle()
    expect((await read(build.id)).status).toBe('deleted')
    expect(buildStore.archives.size).toBe(0)
  })

  test('that its process left behind is taken up again where the archive is in place, and fails where it is not', async () => {
    for (const inPlace of [true, false]) {
      const { matchyard, projectId, clock, settle, read, buildStore } = await withProject()
      const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
      const receive = buildStore.receive.bind(buildStore)
      // The process dies after the claim, so this call never ends.
      const died = new Promise<void>((resolve) => {
        buildStore.receive = async (id, body, options) => {
          await receive(id, body, options)
          if (!inPlace) buildStore.archives.delete(id)
          resolve()
          return new Promise(() => {})
        }
      })
      void matchyard.builds.receiveUpload(uploadOf(uploadPath, ['x']))
      await died
      clock.advance(MINUTE)
      await settle()
      expect((await read(build.id)).status).toBe(inPlace ? 'ready' : 'failed')
    }
  })

  test('that was taken up again while its process was only slow is not taken back', async () => {
    const { matchyard, projectId, clock, settle, read, buildStore } = await withProject()
    const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
    const receive = buildStore.receive.bind(buildStore)
    buildStore.receive = async (id, body, options) => {
      const received = await receive(id, body, options)
      clock.advance(MINUTE)
      await settle()
      return received
    }
    await matchyard.builds.receiveUpload(uploadOf(uploadPath, ['x']))
    await settle()
    expect((await read(build.id)).status).toBe('ready')
    expect(buildStore.archives.has(build.id)).toBe(true)
  })

  test('path is not kept with the answer of its call, and is answered again', async () => {
    const { matchyard, projectId, storage, clock } = await withProject()
    const call = { idempotency: { id: 'upload-1', requestHash: 'h' } }
    const first = await matchyard.builds.createUpload({ projectId, ...zip }, call)
    clock.advance(MINUTE)
    expect(await matchyard.builds.createUpload({ projectId, ...zip }, call)).toEqual(first)
    const { signature } = uploadOf(first.uploadPath, [])
    expect(JSON.stringify(await storage.get('idempotency', 'upload-1'))).not.toContain(signature)
  })

  test('wants a name and a path that can be', async () => {
    const { matchyard, projectId } = await withProject()
    const error = await refused(
      matchyard.builds.createUpload({ projectId, name: '.hidden', executablePath: '../server' }),
    )
    expect(error.code).toBe('VALIDATION_FAILED')
    expect(error.details.issues).toMatchObject([{ path: 'name' }, { path: 'executablePath' }])
  })
})

async function* slowly(letter: string, length: number): AsyncGenerator<string> {
  for (let n = 0; n < length; n++) {
    await Promise.resolve()
    yield letter
  }
}

async function* breakingOff(): AsyncGenerator<string> {
  yield 'half'
  throw new Error('the sender is gone')
}
