import { createMatchyard, type GameServer, type MatchyardOptions, type Project } from '@matchyard/core'
import type { Commit, Entities, EntityKind } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

const MINUTE = 60_000

async function service(options: Partial<MatchyardOptions> = {}) {
  const clock = new FakeClock()
  const storage = memoryStorage()
  const orchestrator = new FakeOrchestrator(clock)
  const matchyard = createMatchyard({ ...fakePlatform({ clock, seed: 1 }), storage, orchestrator, ...options })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  const { accountId } = (await storage.get('project', projectId)) as Project
  let commits = 0
  const commit = (parts: Partial<Commit>) =>
    storage.commit({
      ...{ id: `by hand ${++commits}`, at: clock.now(), checks: [], writes: [], counters: [], events: [], jobs: [] },
      ...parts,
    })
  /** Writes rows as the service would write them. */
  const put = async <K extends EntityKind>(kind: K, row: Entities[K], expected: number | 'absent' = 'absent') =>
    expect(await commit({ writes: [{ kind, id: row.id, expected, put: row } as Commit['writes'][number]] })).toEqual({
      ok: true,
    })
  const problems = async () => {
    clock.advance(3_000)
    return matchyard.problems.list({ projectId })
  }
  const queue = (queueId: string, versionTag?: string) =>
    matchyard.queues.create({
      ...{ projectId, queueId, name: queueId, matchmaking: { teams: 2, playersPerTeam: 1 } },
      ...(versionTag === undefined ? {} : { serverSettings: { versionTag } }),
    })
  return { clock, storage, orchestrator, matchyard, projectId, accountId, commit, put, problems, queue }
}

async function withServer() {
  const made = await service()
  const { matchyard, projectId, storage, put } = made
  await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await matchyard.worker.runDueJobs()
  const { id } = await matchyard.servers.create({ projectId, versionTag: 'arena' })
  const sample = (await storage.get('server', id)) as GameServer
  let made_ = 0
  const failed = (more: Partial<GameServer>) => {
    const id = `srv_by_hand_${++made_}`
    const row = {
      ...sample,
      id,
      version: 1,
      attempt: 1,
      status: 'failed',
      stoppedAt: made.clock.now(),
      networkPorts: [],
    } as const
    return put('server', { ...row, ...more })
  }
  return { ...made, failed }
}

describe('problems of a project', () => {
  it('tell failed servers by their causes, whatever numbers these hold, and crashes apart from launches', async () => {
    const { clock, failed, problems } = await withServer()
    await failed({ queueId: 'duel', stopReason: 'was not running within 60 s: asked for udp 20411 (PORT_GAME)' })
    clock.advance(1)
    await failed({ queueId: 'duel', stopReason: 'was not running within 60 s: asked for udp 20412 (PORT_GAME)' })
    await failed({ queueId: 'duel', stopReason: 'exit code 1', runningAt: 1 })
    await failed({ queueId: 'duel', stopReason: 'exit code 1', runningAt: 1, buildId: 'bld_2', buildVersion: 2 })
    await failed({ queueId: null, stopReason: 'exit code 1' })
    await failed({ queueId: 'duel', stopReason: 'long ago', stoppedAt: clock.now() - 61 * MINUTE })
    const told = (await problems()).map(({ code, severity, count, subject }) => [code, severity, count, subject.kind])
    expect(told).toEqual([
      ['launches_failed', 'error', 2, 'queue'],
      ['launches_failed', 'error', 1, 'server'],
      ['servers_crashed', 'warning', 1, 'queue'],
      ['servers_crashed', 'warning', 1, 'queue'],
    ])
    const [first, , ...crashes] = await problems()
    // A version that crashes is reported by its name, apart from other versions.
    expect(crashes.map(({ sentence }) => sentence)).toContain(
      'duel: 1 server of arena v2 crashed in the last hour: exit code 1. Read the log of srv_by_hand_4.',
    )
    expect(crashes.map(({ details }) => details)).toContainEqual(
      expect.objectContaining({ versionTag: 'arena', buildId: 'bld_2', buildVersion: 2 }),
    )
    expect(first?.sentence).toBe(
      'duel: 2 launches failed in the last hour: was not running within 60 s: asked for udp 20412 (PORT_GAME). Read the log of srv_by_hand_2.',
    )
  })

  it('count every crash of a wave from its first one on, above a queue that nobody uses', async () => {
    const { clock, failed, problems, queue } = await withServer()
    await queue('beta', 'nothing')
    const first = clock.now()
    for (let n = 0; n < 300; n++) {
      await failed({ queueId: 'duel', stopReason: 'exit code 139', runningAt: 1 })
      clock.advance(1_000)
    }
    expect(await problems()).toMatchObject([
      { code: 'servers_crashed', severity: 'error', count: 300, since: first },
      { code: 'build_not_ready', severity: 'warning', subject: { id: 'beta' } },
    ])
  })

  it('tell a build of which half of the last matches crashed, with the first crash and the trend', async () => {
    const { clock, failed, problems } = await withServer()
    const of = { buildId: 'bld_3', buildVersion: 3, queueId: 'duel', matchId: 'mat_1', runningAt: 1 }
    const crash = (code: number) => failed({ ...of, stopReason: `exit code ${code} in a room` })
    const calm = async (count: number) => {
      for (let n = 0; n < count; n++, clock.advance(1_000)) await failed({ ...of, status: 'stopped' })
    }
    for (let n = 0; n < 4; n++) await crash(n)
    // Four ended matches are too few for a share.
    expect(await problems()).toMatchObject([{ severity: 'warning' }])
    await calm(30)
    const first = clock.now()
    for (let n = 0; n < 26; n++, clock.advance(1_000))
      await failed({ ...of, stopReason: n % 2 ? 'signal' : 'exit code' })
    const [wave, ...others] = await problems()
    expect(others).toEqual([])
    expect(wave).toMatchObject({
      code: 'servers_crashed',
      severity: 'error',
      subject: { kind: 'queue', id: 'duel' },
      details: { wave: { crashed: 26, ended: 50, isOfMatches: true, firstAt: first, trend: 'rising' } },
    })
    expect(wave?.sentence).toContain(
      `duel: 26 of the last 50 matches of arena v3 crashed, the first at ${new Date(first).toISOString()}: signal. Read`,
    )
    await calm(20)
    expect(await problems()).toMatchObject([
      { severity: 'error', details: { wave: { crashed: 26, trend: 'falling' } } },
    ])
    await calm(10)
    expect((await problems()).every(({ details }) => details.wave === undefined)).toBe(true)
  })

  it('tell webhooks that fail, and those that were disabled for it', async () => {
    const { matchyard, projectId, storage, put, problems, clock } = await service()
    const url = 'https://93.184.216.34/hook'
    const { webhook } = await matchyard.webhooks.create({ projectId, url })
    const row = await storage.get('webhook', webhook.id)
    if (row === undefined) throw new Error('no webhook')
    await put('webhook', { ...row, version: 2, failingSince: clock.now() - 20 * MINUTE }, 1)
    expect(await problems()).toMatchObject([
      {
        code: 'webhook_failing',
        sentence: `https://93.184.216.34/…: every delivery to the webhook has failed for 20 min. Check the deliveries of this webhook; failed messages are retried for three days.`,
        subject: { kind: 'webhook', id: webhook.id },
        details: { url: 'https://93.184.216.34/…' },
      },
    ])
    await put('webhook', { ...row, version: 3, enabled: false, disabledReason: 'gone' }, 2)
    expect(await problems()).toMatchObject([{ code: 'webhook_disabled', severity: 'error' }])
  })

  it('tell how near the plan is to its limits, and when it is there', async () => {
    const { accountId, matchyard, commit, problems } = await service()
    await matchyard.billing.setPlan({ accountId, plan: 'free' })
    await commit({ counters: [{ id: `builds:${accountId}`, add: 4 }] })
    expect(await problems()).toMatchObject([
      { code: 'plan_limit_near', severity: 'warning', details: { limit: 'max_builds', allowed: 5, used: 4 } },
    ])
    await commit({ counters: [{ id: `servers:${accountId}`, add: 1 }] })
    const [reached] = await problems()
    expect(reached).toMatchObject({ code: 'plan_limit_reached', severity: 'error', count: 1 })
    expect(reached?.sentence).toMatch(/^account: 1 of 1 servers are running: the next match waits/)
  })

  it('tell builds that failed until a later one is ready', async () => {
    const { storage, matchyard, projectId, put, problems, clock } = await service()
    const { id } = await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
    const build = await storage.get('build', id)
    if (build === undefined) throw new Error('no build')
    await put(
      'build',
      { ...build, version: 2, status: 'failed', errorMessage: 'no such image.', updatedAt: clock.now() },
      1,
    )
    expect(await problems()).toMatchObject([
      {
        code: 'build_failed',
        sentence: 'arena 1: processing of the build failed: no such image. Upload it again.',
        subject: { kind: 'build', id },
      },
    ])
    await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:2' })
    await matchyard.worker.runDueJobs()
    expect(await problems()).toEqual([])
    // The ready version does not hide that the next one failed.
    const third = await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:3' })
    await put(
      'build',
      { ...build, id: third.id, buildVersion: 3, version: 2, status: 'failed', updatedAt: clock.now() },
      1,
    )
    expect(await problems()).toMatchObject([{ code: 'build_failed', subject: { kind: 'build', id: third.id } }])
  })

  it('tell who waits for room, and which node is silent', async () => {
    const { commit, queue, problems, failed, storage, clock, projectId } = await withServer()
    await queue('duel')
    await commit({ counters: [{ id: `waiting-servers:${projectId}/duel`, add: 2 }] })
    await failed({ status: 'running', stoppedAt: null, runningAt: 1, nodeId: 'node-2' })
    await storage.presence.touch([{ scope: 'node:node-2', member: 'node', at: clock.now() }])
    expect(await problems()).toMatchObject([
      { code: 'waiting_for_room', count: 2, subject: { kind: 'queue', id: 'duel' } },
    ])
    clock.advance(MINUTE)
    expect(await problems()).toMatchObject([
      { code: 'node_silent', count: 1, subject: { kind: 'node', id: 'node-2' } },
      { code: 'waiting_for_room' },
    ])
  })

  it('are found out once for all who ask within three seconds, and are no more than fifty', async () => {
    const { matchyard, projectId, failed, problems, storage } = await withServer()
    for (let n = 0; n < 60; n++) await failed({ queueId: `queue ${n}`, stopReason: 'gone' })
    expect(await problems()).toHaveLength(50)
    let asked = 0
    const listFailed = storage.servers.listFailed
    Object.assign(storage.servers, {
      listFailed: (project: string, since: number, limit: number) => {
        asked++
        expect(limit).toBe(200)
        return listFailed(project, since, limit)
      },
    })
    await Promise.all(Array.from({ length: 5 }, () => matchyard.problems.list({ projectId })))
    expect(asked).toBe(0)
    await problems()
    await matchyard.problems.list({ projectId })
    expect(asked).toBe(1)
  })
})
