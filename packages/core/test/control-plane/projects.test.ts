import { describe, expect, test } from 'vitest'
import { controlPlane, refusal, refused, tally } from './service'

describe('a project', () => {
  test('comes with a client key and a server key that work', async () => {
    const { matchyard, account } = await controlPlane()
    const { accountId } = await account()
    const { project, keys } = await matchyard.projects.create({ accountId, name: 'Ärena Nights' })
    expect(project).toMatchObject({ accountId, name: 'Ärena Nights', slug: 'arena-nights', deletedAt: null })
    expect(keys.map(({ key }) => key.type)).toEqual(['client', 'server'])
    for (const { key, value } of keys) {
      expect((await matchyard.access.authenticateKey(value ?? '')).keyId).toBe(key.id)
    }
    expect(await matchyard.projects.get({ accountId, projectId: project.id })).toEqual({ ...project, role: 'owner' })
  })

  test('has a slug of its own in its account, also when many are made at once', async () => {
    const { matchyard, account } = await controlPlane()
    const [ann, bob] = [await account(), await account()]
    const made = await Promise.all(
      Array.from({ length: 40 }, () => matchyard.projects.create({ accountId: ann.accountId, name: 'Arena' })),
    )
    const slugs = made.map(({ project }) => project.slug)
    expect(slugs).toEqual(['arena', ...Array.from({ length: 39 }, (_, n) => `arena-${n + 2}`)])
    const { project } = await matchyard.projects.create({ accountId: bob.accountId, name: 'Arena' })
    expect(project.slug).toBe('arena')
  })

  test('gives its slug back with its deletion', async () => {
    const { matchyard, account } = await controlPlane()
    const { accountId } = await account()
    const { project } = await matchyard.projects.create({ accountId, name: 'Arena' })
    await matchyard.projects.delete({ accountId, projectId: project.id })
    expect((await matchyard.projects.create({ accountId, name: 'Arena' })).project.slug).toBe('arena')
  })

  test('wants a name of 1 to 64 characters', async () => {
    const { matchyard, account } = await controlPlane()
    const { accountId } = await account()
    for (const name of ['', 'x'.repeat(65)]) {
      expect(await refusal(matchyard.projects.create({ accountId, name }))).toBe('VALIDATION_FAILED')
    }
    expect((await matchyard.projects.create({ accountId, name: '🏟'.repeat(64) })).project.slug).toBe('project')
  })

  test('is listed oldest first, a page at a time, to its account alone', async () => {
    const { matchyard, account, clock } = await controlPlane()
    const [ann, bob] = [await account(), await account()]
    for (const name of ['One', 'Two', 'Three']) {
      await matchyard.projects.create({ accountId: ann.accountId, name })
      clock.advance(1)
    }
    const page = await matchyard.projects.list({ accountId: ann.accountId, limit: 2, offset: 1 })
    expect([page.total, page.data.map((project) => project.name)]).toEqual([3, ['Two', 'Three']])
    expect((await matchyard.projects.list({ accountId: bob.accountId })).total).toBe(0)
  })

  test('of another account reads like one that is not there', async () => {
    const { matchyard, account, project } = await controlPlane()
    const { accountId } = await account()
    const { projectId } = await project()
    const foreign = await refused(matchyard.projects.get({ accountId, projectId }))
    const unknown = await refused(matchyard.projects.get({ accountId, projectId: 'prj_nobody' }))
    expect(foreign.code).toBe('PROJECT_NOT_FOUND')
    expect(foreign.detail.replace(projectId, '')).toBe(unknown.detail.replace('prj_nobody', ''))
    expect(await refusal(matchyard.projects.delete({ accountId, projectId }))).toBe('PROJECT_NOT_FOUND')
  })

  test('repeated under one idempotency key is made once, and its keys are not shown again', async () => {
    const { matchyard, account, storage } = await controlPlane()
    const { accountId } = await account()
    const call = { idempotency: { id: 'create-1', requestHash: 'h' } }
    const first = await matchyard.projects.create({ accountId, name: 'Arena' }, call)
    const again = await matchyard.projects.create({ accountId, name: 'Arena' }, call)
    expect(again.project).toEqual(first.project)
    expect(again.keys.map(({ value }) => value)).toEqual([null, null])
    expect((await matchyard.projects.list({ accountId })).total).toBe(1)
    const record = JSON.stringify(await storage.get('idempotency', 'create-1'))
    for (const { value } of first.keys) expect(record).not.toContain(value)
    const other = { idempotency: { id: 'create-1', requestHash: 'another body' } }
    expect(await refusal(matchyard.projects.create({ accountId, name: 'Other' }, other))).toBe('IDEMPOTENCY_MISMATCH')
  })
})

describe('deleting a project', () => {
  async function furnished() {
    const plane = await controlPlane()
    const owner = await plane.project()
    const { projectId } = owner
    await plane.matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
    for (let n = 0; n < 130; n++) {
      await plane.matchyard.lobbies.create({ projectId, playerId: `p${n}`, queueId: 'duel', isPrivate: n % 3 === 0 })
    }
    const builds = [await plane.build(projectId), await plane.build(projectId)]
    return { ...plane, ...owner, builds }
  }

  test('ends everything of it: keys, lobbies with their streams, queues, builds and archives', async () => {
    const plane = await furnished()
    const { matchyard, storage, accountId, projectId, clientKey, serverKey, builds, told } = plane
    const { data } = await matchyard.lobbies.browse({ projectId, backend: true, includePrivate: true })
    const lobby = data[0] ?? expect.fail('there is no lobby')
    await matchyard.projects.delete({ accountId, projectId })
    // The keys fail at once, before any job has run.
    for (const key of [clientKey, serverKey]) {
      expect(await refusal(matchyard.access.authenticateKey(key))).toBe('INVALID_API_KEY')
    }
    expect(await refusal(matchyard.projects.get({ accountId, projectId }))).toBe('PROJECT_NOT_FOUND')
    expect(await refusal(matchyard.projects.delete({ accountId, projectId }))).toBe('PROJECT_NOT_FOUND')
    expect(await refusal(matchyard.builds.get({ accountId, buildId: builds[0] ?? '' }))).toBe('BUILD_NOT_FOUND')
    expect(told).toContainEqual(expect.objectContaining({ type: 'project_deleted', projectId }))

    await plane.settle()
    const browse = { projectId, includePrivate: true, sort: 'created_at_asc', limit: 10, offset: 0 } as const
    expect((await storage.lobbies.browse(browse)).total).toBe(0)
    expect((await storage.queues.list(projectId, { limit: 10, offset: 0 })).total).toBe(0)
    expect((await storage.builds.list({ projectId, limit: 10, offset: 0 })).total).toBe(0)
    const keys = await storage.apiKeys.list(projectId, { limit: 10, offset: 0 })
    expect(keys.data.every((key) => key.revokedAt !== null)).toBe(true)
    expect(plane.buildStore.archives.size).toBe(0)
    expect(await storage.counters.read(`builds:${accountId}`)).toBe(0)
    const events = await storage.events.read(lobby.id, lobby.version, 10, 100_000)
    expect(events.map(({ name }) => name)).toEqual(['lobby_deleted'])
    expect(told.filter((event) => event.type === 'lobby_deleted')).toHaveLength(130)
  })

  test('that is cut off anywhere goes on where it was', async () => {
    const { matchyard, storage, accountId, projectId, settle, clock, logger } = await furnished()
    await matchyard.projects.delete({ accountId, projectId })
    // Every seventh commit fails; the job is retried until it succeeds.
    const commit = storage.commit.bind(storage)
    let commits = 0
    storage.commit = (value) => (++commits % 7 === 0 ? Promise.reject(new Error('pulled out')) : commit(value))
    for (let tries = 0; tries < 60; tries++) {
      await matchyard.worker.runDueJobs()
      clock.advance(60_000)
    }
    storage.commit = commit
    await settle()
    expect(logger.lines.filter(({ message }) => message.includes('retrying')).length).toBeGreaterThan(3)
    const browse = { projectId, includePrivate: true, sort: 'created_at_asc', limit: 10, offset: 0 } as const
    expect((await storage.lobbies.browse(browse)).total).toBe(0)
    expect((await storage.builds.list({ projectId, limit: 10, offset: 0 })).total).toBe(0)
  })

  test.each(['launching', 'running', 'stopping'] as const)('is refused while a server is %s', async (status) => {
    const { matchyard, orchestrator, project, build, settle } = await controlPlane()
    const { accountId, projectId } = await project()
    await build(projectId)
    orchestrator.script = () => (status === 'launching' ? 'starting' : 'ready')
    // The process does not end while the test runs.
    orchestrator.stop = async () => {}
    const { id } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await settle()
    if (status === 'stopping') await matchyard.servers.stop({ projectId, instanceId: id })
    expect((await matchyard.servers.get({ projectId, instanceId: id })).status).toBe(status)
    const error = await refused(matchyard.projects.delete({ accountId, projectId }))
    expect([error.code, error.details]).toEqual(['PROJECT_HAS_RUNNING_SERVERS', { running: 1 }])
    orchestrator.exit(id)
    await matchyard.servers.stop({ projectId, instanceId: id })
    await settle()
    orchestrator.exit(id)
    await settle()
    await matchyard.projects.delete({ accountId, projectId })
  })

  test('against a launch at the same instant: one of the two happens, never both', async () => {
    let [deleted, launched] = [0, 0]
    for (let round = 0; round < 60; round++) {
      const { matchyard, storage, project, build } = await controlPlane()
      const { accountId, projectId } = await project()
      await build(projectId)
      // Each read and commit of the two calls waits for its own number of turns, so that they meet in many orders.
      delayed(storage, round)
      const counts = await tally([
        matchyard.projects.delete({ accountId, projectId }),
        matchyard.servers.create({ projectId, versionTag: 'arena' }),
      ])
      const live = await storage.servers.countLive(projectId)
      const gone = (await storage.get('project', projectId))?.deletedAt !== null
      expect(gone, JSON.stringify(counts)).toBe(live === 0)
      expect(counts.ok).toBe(1)
      if (gone) deleted++
      else launched++
    }
    // Both orders must have occurred; otherwise the test shows nothing.
    expect(Math.min(deleted, launched)).toBeGreaterThan(0)
  })
})

/** Delays each storage call of a race by a number of turns of the event loop that depends on the round. */
function delayed(storage: Awaited<ReturnType<typeof controlPlane>>['storage'], round: number): void {
  let state = round + 1
  const turns = async () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    for (let left = (state >>> 16) % 12; left > 0; left--) await Promise.resolve()
  }
  const [get, commit, countLive] = [storage.get, storage.commit, storage.servers.countLive]
  Object.assign(storage, {
    get: async (kind: 'project', id: string) => {
      await turns()
      const found = await get.call(storage, kind, id)
      await turns()
      return found
    },
    commit: async (value: Parameters<typeof commit>[0]) => {
      await turns()
      return commit.call(storage, value)
    },
  })
  Object.assign(storage.servers, {
    countLive: async (projectId: string) => {
      const count = await countLive.call(storage.servers, projectId)
      await turns()
      return count
    },
  })
}
