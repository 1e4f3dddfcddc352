import assert from 'node:assert/strict'
import { type GameServer, SERVER_STATUSES } from '@matchyard/core'
import { queueKey, type ServerQuery } from '@matchyard/core/ports'
import { apply, idsOf, next, remove, store } from './changes'
import { area } from './harness'
import { aServer, PROJECT_ID } from './samples'

const it = area('servers')
const aWaiting = (orchestrator: string, over: Parameters<typeof aServer>[0] = {}) =>
  aServer({
    status: 'launching',
    statusReason: 'waiting_for_room',
    room: { deadlineAt: 100_000, admittedAt: null, orchestrator, passedSince: null },
    queueId: 'ranked',
    ...over,
  })
const sorted = (values: readonly { id: string }[]) => idsOf(values).sort()

export const serverCases = [
  it('are listed newest first, filtered alone and together, each with the total', async ({ storage }) => {
    const servers = Array.from({ length: 30 }, (_, index) =>
      aServer({
        status: SERVER_STATUSES[index % 5] ?? 'running',
        region: index % 2 === 0 ? 'iad' : 'fra',
        matchId: index % 3 === 0 ? 'mat_a' : null,
        versionTag: index % 4 === 0 ? 'arena' : 'other',
        createdAt: 1_000 + (index % 6),
      }),
    )
    await store(storage, 'server', ...servers, aServer({ projectId: 'prj_b' }))
    const newestFirst = [...servers].sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
    for (const status of [undefined, 'running', 'stopped'] as const)
      for (const region of [undefined, 'fra'] as const)
        for (const matchId of [undefined, 'mat_a', 'mat_none'])
          for (const versionTag of [undefined, 'arena']) {
            const filter = {
              ...(status !== undefined && { status }),
              ...(region !== undefined && { region }),
              ...(matchId !== undefined && { matchId }),
              ...(versionTag !== undefined && { versionTag }),
            }
            const expected = newestFirst.filter((server) =>
              Object.entries(filter).every(([key, value]) => server[key as keyof typeof filter] === value),
            )
            const { total, data } = await storage.servers.list({
              projectId: PROJECT_ID,
              limit: 4,
              offset: 1,
              ...filter,
            })
            assert.deepEqual(
              [total, idsOf(data)],
              [expected.length, idsOf(expected.slice(1, 5))],
              JSON.stringify(filter),
            )
          }
  }),

  it('that are live are all found, and narrowed to those of a node', async ({ storage }) => {
    const here = aServer({ nodeId: 'node_1', status: 'running' })
    const there = aServer({ nodeId: 'node_2', status: 'stopping', projectId: 'prj_b' })
    const free = aServer({ status: 'launching' })
    const over = [aServer({ status: 'stopped' }), aServer({ status: 'failed', nodeId: 'node_1' })]
    await store(storage, 'server', here, there, free, ...over)
    assert.deepEqual(sorted(await storage.servers.listLive()), sorted([here, there, free]))
    assert.deepEqual(sorted(await storage.servers.listLive('node_1')), sorted([here]))
    await store(storage, 'server', next(here, { status: 'stopped' }))
    assert.deepEqual(sorted(await storage.servers.listLive('node_1')), [])
  }),

  it('that are live name their nodes, each once', async ({ storage }) => {
    const [a, b] = [aServer({ nodeId: 'node_1', status: 'running' }), aServer({ nodeId: 'node_2', status: 'stopping' })]
    await store(storage, 'server', a, b, aServer({ nodeId: 'node_2', status: 'running' }), aServer({ nodeId: null }))
    await store(storage, 'server', aServer({ nodeId: 'node_3', status: 'failed' }))
    assert.deepEqual((await storage.servers.nodes()).sort(), ['node_1', 'node_2'])
    await store(storage, 'server', next(a, { status: 'stopped' }))
    assert.deepEqual(await storage.servers.nodes(), ['node_2'])
  }),

  it('that wait for room are told by the first of each region and size in the lines of one orchestrator, the oldest first', async ({
    storage,
  }) => {
    const first = aWaiting('process', { createdAt: 1_000 })
    const equal = aWaiting('process', { createdAt: 1_000 })
    const large = aWaiting('process', { createdAt: 900, tier: '8x-32g' })
    const far = aWaiting('process', { createdAt: 1_500, region: 'fra' })
    const portRequests = [{ name: 'game', protocol: 'tcp', internalPort: 7777, tlsEnabled: true }] as const
    const secure = [2_000, 2_001].map((createdAt) => aWaiting('process', { createdAt, portRequests }))
    const later = Array.from({ length: 20 }, (_, index) => aWaiting('process', { createdAt: 1_001 + index }))
    const elsewhere = [aWaiting('docker', { createdAt: 1 }), aWaiting('process2', { createdAt: 1 })]
    const others = [aServer({ createdAt: 1 }), aServer({ createdAt: 1, status: 'running' })]
    await store(storage, 'server', ...later, ...secure, first, equal, large, far, ...elsewhere, ...others)
    const [head] = [first, equal].sort((a, b) => (a.id < b.id ? -1 : 1))
    const line = () => storage.servers.firstInLine('process')
    assert.deepEqual(idsOf(await line()), idsOf([large, head ?? first, far, ...secure.slice(0, 1)]))
    assert.deepEqual((await line())[0], large)
    // A server that is launched, stopped or removed no longer waits for free capacity.
    await store(storage, 'server', next(large, { statusReason: null, nodeId: 'node_1', attempt: 1, attemptOpen: true }))
    await apply(storage, { writes: [remove('server', far)] })
    for (const one of [first, equal])
      await store(storage, 'server', next(one, { statusReason: null, status: 'stopping' }))
    assert.deepEqual(idsOf(await line()), idsOf([...later.slice(0, 1), ...secure.slice(0, 1)]))
    assert.deepEqual(await storage.servers.firstInLine('none'), [])
  }),

  it('that wait for room tell for each queue since when', async ({ storage }) => {
    const [a, b] = [aWaiting('process', { createdAt: 1_000 }), aWaiting('docker', { createdAt: 2_000 })]
    await store(storage, 'server', a, b, aWaiting('process', { createdAt: 1, queueId: 'other' }))
    await store(storage, 'server', aWaiting('process', { createdAt: 1, queueId: null }), aServer({ createdAt: 1 }))
    const since = () => storage.servers.waitingSince(queueKey(PROJECT_ID, 'ranked'))
    assert.equal(await since(), 1_000)
    await store(storage, 'server', next(a, { statusReason: null }))
    assert.equal(await since(), 2_000)
    await store(storage, 'server', next(b, { statusReason: null }))
    assert.equal(await since(), undefined)
  }),

  it('that are live hold their build', async ({ storage }) => {
    const server = aServer({ buildId: 'bld_x', status: 'stopping' })
    await store(storage, 'server', server, aServer({ buildId: 'bld_y', status: 'failed' }), aServer({ buildId: null }))
    assert.equal(await storage.servers.anyLiveOfBuild('bld_x'), true)
    assert.equal(await storage.servers.anyLiveOfBuild('bld_y'), false)
    await store(storage, 'server', next(server, { status: 'stopped' }))
    assert.equal(await storage.servers.anyLiveOfBuild('bld_x'), false)
  }),

  it('that are live of a build are read by ascending id, page by page', async ({ storage }) => {
    const of = (more: Partial<GameServer> = {}) => aServer({ buildId: 'bld_x', status: 'running', ...more })
    const live = [of(), of({ status: 'launching' }), of({ status: 'stopping' }), of({ matchId: 'mat_a' })]
    await store(storage, 'server', ...live, of({ status: 'failed' }), of({ buildId: 'bld_y' }), of({ buildId: null }))
    const ids = idsOf(live).sort()
    const read = async (after: string, limit: number) => idsOf(await storage.servers.liveOfBuild('bld_x', after, limit))
    assert.deepEqual(await read('', 10), ids)
    assert.deepEqual(await read('', 2), ids.slice(0, 2))
    assert.deepEqual(await read(ids[1] ?? '', 2), ids.slice(2))
    assert.deepEqual(await read(ids[3] ?? '', 2), [])
    await store(storage, 'server', ...live.map((server) => next(server, { status: 'stopped' })))
    assert.deepEqual(await read('', 10), [])
  }),

  it('list the servers that ended for a cause, of a project, a build and a match', async ({ storage }) => {
    const of = (more: Partial<GameServer>) => aServer({ buildId: 'bld_1', status: 'failed', ...more })
    const crashed = of({ endReason: 'server_failed', createdAt: 3_000 })
    const again = of({ endReason: 'server_failed', createdAt: 2_000, matchId: 'mat_a', region: 'fra' })
    const late = of({ endReason: 'launch_failed', createdAt: 1_000 })
    const other = of({ endReason: 'server_failed', createdAt: 4_000, buildId: 'bld_2' })
    const unbuilt = of({ endReason: 'no_room', createdAt: 5_000, buildId: null })
    const stopping = of({ endReason: 'server_stopped', status: 'stopping', createdAt: 6_000 })
    const foreign = of({ endReason: 'server_failed', projectId: 'prj_b' })
    await store(storage, 'server', crashed, again, late, other, unbuilt, stopping, foreign, of({ createdAt: 7_000 }))
    const list = (query: Partial<ServerQuery>) =>
      storage.servers.list({ projectId: PROJECT_ID, limit: 10, offset: 0, ...query })
    const endReason = 'server_failed'
    assert.deepEqual(await list({ endReason }), { total: 3, data: [other, crashed, again] })
    assert.deepEqual(await list({ endReason, limit: 1, offset: 1 }), { total: 3, data: [crashed] })
    assert.deepEqual(await list({ endReason, buildId: 'bld_1' }), { total: 2, data: [crashed, again] })
    assert.deepEqual(await list({ endReason, buildId: 'bld_1', region: 'fra' }), { total: 1, data: [again] })
    assert.deepEqual(await list({ endReason, region: 'fra' }), { total: 1, data: [again] })
    assert.deepEqual(await list({ endReason: 'no_room' }), { total: 1, data: [unbuilt] })
    assert.deepEqual(await list({ endReason: 'server_stopped', status: 'stopping' }), { total: 1, data: [stopping] })
    assert.deepEqual(await list({ endReason, matchId: 'mat_a' }), { total: 1, data: [again] })
    assert.deepEqual(await list({ endReason, matchId: 'mat_a', buildId: 'bld_2' }), { total: 0, data: [] })
    assert.deepEqual(await list({ endReason: 'launch_failed', matchId: 'mat_a' }), { total: 0, data: [] })
    // A project cannot read the servers of another by the id of a build.
    assert.deepEqual(await list({ endReason, buildId: 'bld_1', projectId: 'prj_b' }), { total: 1, data: [foreign] })
    await store(storage, 'server', next(late, { endReason: 'server_failed' }))
    assert.equal((await list({ endReason, buildId: 'bld_1' })).total, 3)
  }),

  it('that are live are counted per project through every change', async ({ storage }) => {
    const [a, b] = [aServer(), aServer()]
    await store(storage, 'server', a, b, aServer({ status: 'failed' }), aServer({ projectId: 'prj_b' }))
    assert.equal(await storage.servers.countLive(PROJECT_ID), 2)
    await store(storage, 'server', next(a, { status: 'running' }), next(b, { status: 'failed' }))
    assert.equal(await storage.servers.countLive(PROJECT_ID), 1)
    await apply(storage, { writes: [remove('server', next(a))] })
    assert.equal(await storage.servers.countLive(PROJECT_ID), 0)
    assert.equal(await storage.servers.countLive('prj_b'), 1)
  }),

  it('of a project that failed are told since an instant, the last first', async ({ storage }) => {
    const failed = (stoppedAt: number, more: Partial<GameServer> = {}) =>
      aServer({ status: 'failed', stoppedAt, createdAt: 9_000 - stoppedAt, ...more })
    const [early, edge, late] = [failed(1_000), failed(2_000), failed(3_000)]
    const stopped = aServer({ status: 'stopped', stoppedAt: 3_000 })
    await store(storage, 'server', late, early, edge, stopped, failed(3_000, { projectId: 'prj_b' }))
    assert.deepEqual(await storage.servers.listFailed(PROJECT_ID, 2_000, 10), [late, edge])
    assert.deepEqual(await storage.servers.listFailed(PROJECT_ID, 0, 2), [late, edge])
    assert.deepEqual(await storage.servers.listFailed('prj_none', 0, 10), [])
    assert.deepEqual(await storage.servers.tallyFailed(PROJECT_ID, 2_000), { count: 2, first: 2_000 })
    assert.deepEqual(await storage.servers.tallyFailed('prj_none', 0), { count: 0, first: null })
  }),

  it('list the servers of a build, and those that ended last with a match or by a failure', async ({ storage }) => {
    const of = (more: Partial<GameServer>) => aServer({ buildId: 'bld_1', buildVersion: 1, ...more })
    const live = of({ createdAt: 5_000 })
    const ended = of({ matchId: 'mat_a', status: 'stopped', stoppedAt: 3_000, createdAt: 1_000 })
    const early = of({ matchId: 'mat_b', status: 'stopped', stoppedAt: 2_000, createdAt: 2_000 })
    const warm = of({ status: 'stopped', stoppedAt: 4_000, matchId: null, createdAt: 3_000 })
    const failed = of({ status: 'failed', stoppedAt: 3_500, matchId: null, createdAt: 4_000 })
    const other = aServer({ buildId: 'bld_2', buildVersion: 2, status: 'failed', stoppedAt: 3_000 })
    await store(storage, 'server', live, early, ended, failed, warm, other)
    const list = (query: Partial<ServerQuery>) =>
      storage.servers.list({ projectId: PROJECT_ID, buildId: 'bld_1', limit: 10, offset: 0, ...query })
    assert.deepEqual(await list({}), { total: 5, data: [live, failed, warm, early, ended] })
    assert.deepEqual(await list({ limit: 1, offset: 1 }), { total: 5, data: [failed] })
    assert.deepEqual(await list({ status: 'failed' }), { total: 1, data: [failed] })
    assert.deepEqual(await list({ projectId: 'prj_b' }), { total: 0, data: [] })
    assert.deepEqual(await storage.servers.lastEnded('bld_1', 10), [failed, ended, early])
    assert.deepEqual(await storage.servers.lastEnded('bld_1', 1), [failed])
    assert.deepEqual(await storage.servers.lastEnded('bld_none', 1), [])
  }),
]
