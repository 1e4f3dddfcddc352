import { OutcomeUnknown } from '@matchyard/core/ports'
import { sha256Of } from '@matchyard/testkit'
import { describe, expect, test } from 'vitest'
import { MAX_LOG_LINES } from '../../src/runtime/process-build'
import { type ControlPlane, refusal, refused, tally, uploadOf, withProject } from './service'

const MINUTE = 60_000
const zip = { name: 'arena', executablePath: 'bin/server' }

describe('processing', () => {
  test('that is cut off is done again, and a result is one commit', async () => {
    const { matchyard, projectId, clock, read, buildStore, storage, settle, told } = await withProject()
    const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
    await matchyard.builds.receiveUpload(uploadOf(uploadPath, ['x']))
    let tries = 0
    const verdict = buildStore.verdict
    buildStore.verdict = (id) => {
      if (++tries < 3) throw new Error('the disk is away')
      return verdict(id)
    }
    const commit = storage.commit.bind(storage)
    let lost = 0
    storage.commit = async (value) => {
      const result = await commit(value)
      const isResult = value.writes.some(
        (write) => 'put' in write && write.kind === 'build' && write.put.status === 'ready',
      )
      if (isResult && lost++ === 0) throw new OutcomeUnknown(value.id)
      return result
    }
    for (let round = 0; round < 5; round++) {
      await settle()
      clock.advance(MINUTE)
    }
    expect(await read(build.id)).toMatchObject({ status: 'ready' })
    expect([tries, lost]).toEqual([3, 1])
    expect(told.filter((event) => event.type === 'build_ready')).toHaveLength(1)
  })

  test('of an upload without an announced SHA-256 keeps that of the archive, for machines that fetch it', async () => {
    const { matchyard, projectId, buildStore, settle } = await withProject()
    const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
    await matchyard.builds.receiveUpload(uploadOf(uploadPath, ['one', 'two']))
    await settle()
    // A store in a folder does not know the SHA-256.
    buildStore.locate = async () => ({ sizeBytes: 6, sha256: null, url: null })
    const { sha256 } = await matchyard.builds.locateArchive({ buildId: build.id })
    expect(sha256).toBe(sha256Of(Buffer.from('onetwo')))
  })

  test('that never comes to an end is given up', async () => {
    const { matchyard, projectId, clock, read, buildStore, settle } = await withProject()
    const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
    await matchyard.builds.receiveUpload(uploadOf(uploadPath, ['x']))
    buildStore.verdict = () => {
      throw new Error('taken down')
    }
    for (let round = 0; round < 8; round++) {
      await settle()
      clock.advance(MINUTE)
    }
    expect(await read(build.id)).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringContaining('5 attempts'),
    })
  })

  test('keeps so many lines of what was said, the first and the last among them, none of them long', async () => {
    const { matchyard, projectId, buildStore, settle } = await withProject()
    const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
    await matchyard.builds.receiveUpload(uploadOf(uploadPath, ['x']))
    buildStore.inspect = async (_buildId, _options, log) => {
      for (let line = 0; line < 3 * MAX_LOG_LINES; line++) log('info', `line ${line} ${'x'.repeat(10_000)}`)
      return { ok: true, unpackedBytes: 1, entries: 1 }
    }
    await settle()
    const { logs } = await matchyard.builds.logs({ projectId, buildId: build.id })
    expect(logs).toHaveLength(MAX_LOG_LINES)
    expect(logs[0]?.message).toMatch(/^processing /)
    expect(logs.at(-1)?.message).toBe('ready')
    expect(Math.max(...logs.map(({ message }) => message.length))).toBe(2_000)
  })

  test('of a build deleted meanwhile does not bring it back', async () => {
    const { matchyard, projectId, read, buildStore, settle } = await withProject()
    const { build, uploadPath } = await matchyard.builds.createUpload({ projectId, ...zip })
    await matchyard.builds.receiveUpload(uploadOf(uploadPath, ['x']))
    const inspect = buildStore.inspect.bind(buildStore)
    buildStore.inspect = async (...rest) => {
      await matchyard.builds.delete({ projectId, buildId: build.id })
      return inspect(...rest)
    }
    await settle()
    expect((await read(build.id)).status).toBe('deleted')
    expect(buildStore.archives.size).toBe(0)
  })
})

describe('an image', () => {
  test('is pinned by processing', async () => {
    const { matchyard, projectId, settle, read } = await withProject()
    const image = { projectId, name: 'arena', imageUrl: 'ghcr.io/acme/arena:1' }
    const build = await matchyard.builds.registerImage(image)
    expect(build).toMatchObject({ status: 'processing', type: 'docker_image', executablePath: null })
    await settle()
    expect(await read(build.id)).toMatchObject({
      status: 'ready',
      imageUrl: 'ghcr.io/acme/arena:1',
      imageDigest: expect.stringContaining('@sha256:'),
    })
  })

  test('fails in processing, with a clear reason, where no images can be run', async () => {
    const { matchyard, projectId, settle, read, orchestrator } = await withProject()
    orchestrator.prepareImage = async () => ({ ok: false, message: 'this installation runs ZIP builds only' }) as never
    const { id } = await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'arena' })
    await settle()
    const errorMessage = 'this installation runs ZIP builds only'
    expect(await read(id)).toMatchObject({ status: 'failed', errorMessage })
    expect((await matchyard.builds.logs({ projectId, buildId: id })).logs.at(-1)).toMatchObject({ level: 'error' })
  })

  test('waits until an agent can check it, and fails when none connects within 10 minutes', async () => {
    const { matchyard, projectId, settle, read, orchestrator, clock } = await withProject()
    const checking = Object.assign(orchestrator, { noMachine: true })
    const register = async () =>
      (await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'arena' })).id
    const pass = async (ms: number) => {
      for (const end = clock.now() + ms; clock.now() < end; clock.advance(1_000)) await matchyard.worker.runDueJobs()
    }
    const first = await register()
    await pass(9 * 60_000)
    expect(await read(first)).toMatchObject({ status: 'processing' })
    checking.noMachine = false
    await pass(5_000)
    await settle()
    expect(await read(first)).toMatchObject({ status: 'ready' })

    checking.noMachine = true
    const second = await register()
    await pass(10 * 60_000 + 5_000)
    await settle()
    expect(await read(second)).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringMatching(/^no agent with ORCHESTRATOR=docker connected within 10 minutes; /),
    })
  })

  test('that is no OCI reference is refused', async () => {
    const { matchyard, projectId } = await withProject()
    const call = matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'https://ghcr.io/acme/arena' })
    expect((await refused(call)).details.issues).toMatchObject([{ path: 'imageUrl' }])
  })
})

describe('versions', () => {
  test('are 1, 2, 3 … for each name, also at once and past refusals and deletions', async () => {
    const { matchyard, projectId } = await withProject()
    const create = (name: string) => matchyard.builds.createUpload({ projectId, ...zip, name })
    const made = await Promise.all(Array.from({ length: 40 }, () => create('arena')))
    const numbers = made.map(({ build }) => build.buildVersion).sort((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
    expect((await create('lobby')).build.buildVersion).toBe(1)
    const last = made.find(({ build }) => build.buildVersion === 40)?.build.id ?? ''
    await matchyard.builds.delete({ projectId, buildId: last })
    expect((await create('arena')).build.buildVersion).toBe(41)
  })

  test('have no gap where a plan refused', async () => {
    const { matchyard, projectId } = await withProject('free')
    const create = () => matchyard.builds.createUpload({ projectId, ...zip })
    expect(await tally(Array.from({ length: 12 }, create))).toEqual({ ok: 5, PLAN_LIMIT_EXCEEDED: 7 })
    const { details } = await refused(create())
    expect(details).toEqual({ limit: 'max_builds', plan: 'free', allowed: 5, requested: 6 })
    const { data } = await matchyard.builds.list({ projectId })
    expect(data.map((build) => build.buildVersion).sort()).toEqual([1, 2, 3, 4, 5])
    await matchyard.builds.delete({ projectId, buildId: data[0]?.id ?? '' })
    expect((await create()).build.buildVersion).toBe(6)
  })

  test('max_builds counts over all projects of the account, and neither failed nor deleted ones', async () => {
    const { matchyard, projectId, accountId, clock, settle } = await withProject('free')
    const other = (await matchyard.projects.create({ accountId, name: 'Other' })).project.id
    const create = (id: string) => matchyard.builds.createUpload({ projectId: id, ...zip })
    for (const id of [projectId, projectId, other, other, other]) await create(id)
    expect(await refusal(create(other))).toBe('PLAN_LIMIT_EXCEEDED')
    clock.advance(15 * MINUTE)
    await settle()
    for (let n = 0; n < 5; n++) await create(projectId)
    expect(await refusal(create(projectId))).toBe('PLAN_LIMIT_EXCEEDED')
  })
})

describe('reading builds', () => {
  test('lists by name, status and type, deleted ones only when asked', async () => {
    const { matchyard, projectId, build, settle } = await withProject()
    const ready = await build(projectId)
    const image = (await matchyard.builds.registerImage({ projectId, name: 'image', imageUrl: 'arena' })).id
    const waiting = (await matchyard.builds.createUpload({ projectId, ...zip })).build.id
    const gone = (await matchyard.builds.createUpload({ projectId, ...zip })).build.id
    await matchyard.builds.delete({ projectId, buildId: gone })
    await settle()
    const ids = async (filter: Partial<Parameters<typeof matchyard.builds.list>[0]>) =>
      (await matchyard.builds.list({ projectId, ...filter })).data.map(({ id }) => id).sort()
    expect(await ids({})).toEqual([ready, image, waiting].sort())
    expect(await ids({ name: 'arena' })).toEqual([ready, waiting].sort())
    expect(await ids({ status: 'ready', type: 'zip' })).toEqual([ready])
    expect(await ids({ status: 'deleted' })).toEqual([gone])
    expect(await matchyard.builds.list({ projectId, limit: 1, offset: 1 })).toMatchObject({ total: 3 })
  })

  test('of another project or account finds nothing', async () => {
    const plane = await withProject()
    const { matchyard, projectId, accountId, build, project } = plane
    const buildId = await build(projectId)
    const stranger = await project()
    expect((await matchyard.builds.get({ accountId, buildId })).id).toBe(buildId)
    for (const by of [{ projectId: stranger.projectId }, { accountId: stranger.accountId }]) {
      expect(await refusal(matchyard.builds.get({ ...by, buildId }))).toBe('BUILD_NOT_FOUND')
      expect(await refusal(matchyard.builds.logs({ ...by, buildId }))).toBe('BUILD_NOT_FOUND')
      expect(await refusal(matchyard.builds.delete({ ...by, buildId }))).toBe('BUILD_NOT_FOUND')
      const changes = { disabled: true }
      expect(await refusal(matchyard.builds.update({ ...by, buildId, changes }))).toBe('BUILD_NOT_FOUND')
    }
  })
})

describe('deleting a build', () => {
  test('leaves it to be read by its id, once', async () => {
    const { matchyard, projectId, build, read, settle, buildStore } = await withProject()
    const buildId = await build(projectId)
    expect(await tally([1, 2, 3].map(() => matchyard.builds.delete({ projectId, buildId })))).toEqual({
      ok: 1,
      BUILD_NOT_FOUND: 2,
    })
    expect((await read(buildId)).status).toBe('deleted')
    await settle()
    expect(buildStore.archives.size).toBe(0)
  })

  test('is refused while a live server runs it', async () => {
    const { matchyard, projectId, build, settle } = await withProject()
    const buildId = await build(projectId)
    const { id } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await settle()
    await expect(matchyard.builds.delete({ projectId, buildId })).rejects.toMatchObject({
      code: 'BUILD_IN_USE',
      detail: 'a live server runs version 1 of arena; stop the server first',
    })
    await matchyard.servers.stop({ projectId, instanceId: id })
    await settle()
    await matchyard.builds.delete({ projectId, buildId })
  })

  test('against the launch of its first server: never both', async () => {
    let [deleted, launched] = [0, 0]
    for (let round = 0; round < 40; round++) {
      const plane = await withProject()
      const { matchyard, projectId, build, settle, storage } = plane
      const buildId = await build(projectId)
      await matchyard.servers.create({ projectId, versionTag: 'arena' })
      await race(plane, buildId, round)
      const status = (await storage.get('build', buildId))?.status
      const inUse = await storage.servers.anyLiveOfBuild(buildId)
      expect(status === 'deleted', `round ${round}: ${status}`).toBe(!inUse)
      if (inUse) launched++
      else deleted++
      await settle()
    }
    // Both orders must have occurred; otherwise the test shows nothing.
    expect(Math.min(deleted, launched)).toBeGreaterThan(0)
  })
})

/**
 * Deletes a build while a job launches it. In even rounds the deletion pauses between its check and its commit; in odd rounds the launch
 * begins later. The pause has as many turns of the event loop as the round's number gives.
 */
async function race(
  { matchyard, storage, projectId }: ControlPlane & { projectId: string },
  buildId: string,
  round: number,
) {
  const [deletionRests, launchRests] = round % 2 === 0 ? [round, 0] : [0, round]
  const ask = storage.servers.anyLiveOfBuild.bind(storage.servers)
  Object.assign(storage.servers, {
    anyLiveOfBuild: async (id: string) => {
      const answer = await ask(id)
      await turns(deletionRests)
      return answer
    },
  })
  await tally([
    matchyard.builds.delete({ projectId, buildId }),
    turns(launchRests).then(() => matchyard.worker.runDueJobs()),
  ])
  Object.assign(storage.servers, { anyLiveOfBuild: ask })
}

async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await Promise.resolve()
}
