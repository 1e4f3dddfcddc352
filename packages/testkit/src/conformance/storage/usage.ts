import assert from 'node:assert/strict'
import { DAY_MS } from '@matchyard/core/domain'
import type { Metered, UsageSum } from '@matchyard/core/ports'
import { apply, change, idsOf, next, put, store } from './changes'
import { area } from './harness'
import { ACCOUNT_ID, aLobby, aServer, PROJECT_ID } from './samples'

const it = area('usage')
const DAY = 20_000 * DAY_MS

const aSum = (seconds: number, over: Partial<UsageSum> = {}): UsageSum => ({
  accountId: ACCOUNT_ID,
  projectId: PROJECT_ID,
  tier: '1x-1g',
  beginsAt: DAY,
  seconds,
  ...over,
})
const total = ({ sums }: Metered): number => sums.reduce((all, { seconds }) => all + seconds, 0)

export const usageCases = [
  it('is added up by account, project, tier and where it begins, and told in that order', async ({
    storage,
    reopen,
  }) => {
    const large = { tier: '8x-32g' } as const
    await apply(storage, { usage: [aSum(5), aSum(7, large), aSum(2)] })
    await apply(storage, { usage: [aSum(4), aSum(1, { projectId: 'prj_b' }), aSum(9, { beginsAt: DAY - 1 })] })
    await apply(storage, { usage: [aSum(100, { accountId: 'acc_b' }), aSum(-1, large)] })
    const expected = [aSum(9, { beginsAt: DAY - 1 }), aSum(11), aSum(6, large), aSum(1, { projectId: 'prj_b' })].sort(
      (a, b) => a.beginsAt - b.beginsAt || (a.projectId < b.projectId ? -1 : a.projectId > b.projectId ? 1 : 0),
    )
    assert.deepEqual(await storage.servers.metered(ACCOUNT_ID, 0, DAY + 1), { sums: expected, servers: [] })
    assert.deepEqual((await storage.servers.metered('acc_b', 0, DAY + 1)).sums, [aSum(100, { accountId: 'acc_b' })])
    assert.deepEqual((await (await reopen()).servers.metered(ACCOUNT_ID, 0, DAY + 1)).sums, expected)
  }),

  it('is told of a stretch of time, its end excluded', async ({ storage }) => {
    const edges = [DAY - 1, DAY, DAY + 7, DAY + DAY_MS - 1, DAY + DAY_MS]
    await apply(storage, { usage: edges.map((beginsAt) => aSum(1, { beginsAt })) })
    const { sums } = await storage.servers.metered(ACCOUNT_ID, DAY, DAY + DAY_MS)
    assert.deepEqual(
      sums.map(({ beginsAt }) => beginsAt),
      edges.slice(1, 4),
    )
  }),

  it('comes from what was applied, and from that once', async ({ storage }) => {
    const lobby = aLobby()
    await store(storage, 'lobby', lobby)
    const refused = change({ writes: [put('lobby', lobby)], usage: [aSum(50)] })
    assert.equal((await storage.commit(refused)).ok, false)
    const applied = change({ usage: [aSum(3)] })
    await storage.commit(applied)
    await storage.commit(applied)
    assert.equal(total(await storage.servers.metered(ACCOUNT_ID, DAY, DAY + 1)), 3)
  }),

  it('of many commits at once loses none', async (subject) => {
    const handles = [subject.storage, await subject.another()]
    const commits = Array.from({ length: 60 }, (_, index) =>
      apply(handles[index % 2] ?? subject.storage, { usage: [aSum(1), aSum(1, { projectId: `prj_${index % 3}` })] }),
    )
    await Promise.all(commits)
    const { sums } = await subject.storage.servers.metered(ACCOUNT_ID, DAY, DAY + 1)
    assert.deepEqual(
      sums.map(({ projectId, seconds }) => [projectId, seconds]).sort(),
      [...[0, 1, 2].map((number) => [`prj_${number}`, 20]), [PROJECT_ID, 60]].sort(),
    )
  }),

  it('shows the servers that run, oldest first, and none that has ended or never ran', async ({ storage }) => {
    const ran = (runningAt: number | null, stoppedAt: number | null, over: Parameters<typeof aServer>[0] = {}) =>
      aServer({ runningAt, stoppedAt, status: stoppedAt === null ? 'running' : 'stopped', ...over })
    const young = ran(1_999, null, { createdAt: 3_000 })
    const old = ran(500, null, { createdAt: 400 })
    const ending = ran(600, null, { createdAt: 500, status: 'stopping' })
    const others = [ran(500, 1_000), ran(500, 5_000), ran(2_000, null), ran(null, null), ran(null, 1_500)]
    await store(storage, 'server', young, old, ending, ...others, ran(500, null, { accountId: 'acc_b' }))
    const { servers } = await storage.servers.metered(ACCOUNT_ID, 1_000, 2_000)
    assert.deepEqual(idsOf(servers), idsOf([old, ending, young]))
    assert.deepEqual(servers[0], old)
    await store(storage, 'server', next(old, { status: 'stopped', stoppedAt: 1_500 }))
    assert.deepEqual(idsOf((await storage.servers.metered(ACCOUNT_ID, 1_000, 2_000)).servers), idsOf([ending, young]))
  }),

  it('has a server that ends in its sums or among those that run, and never in both or neither', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    for (let round = 0; round < 20; round++) {
      const server = aServer({ status: 'running', runningAt: DAY, accountId: `acc_${round}` })
      await store(here, 'server', server)
      const over = next(server, { status: 'stopped', stoppedAt: DAY + 1_000 })
      const some = () => Array.from({ length: 3 }, () => there.servers.metered(server.accountId, DAY, DAY + DAY_MS))
      const before = some()
      const ends = apply(here, { writes: [put('server', over)], usage: [aSum(1, { accountId: server.accountId })] })
      const reads = await Promise.all([...before, ...some()])
      await ends
      for (const read of reads) assert.equal(read.servers.length + total(read), 1, `round ${round}`)
    }
  }),

  it('is kept, however long ago it was', async ({ storage }) => {
    await apply(storage, { usage: [aSum(5)] })
    await storage.prune(DAY + 4_000 * DAY_MS)
    assert.equal(total(await storage.servers.metered(ACCOUNT_ID, DAY, DAY + 1)), 5)
  }),
]
