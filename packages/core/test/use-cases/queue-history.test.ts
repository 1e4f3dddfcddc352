import type { Commit } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { service } from './service'

async function arena() {
  const commits: Commit[] = []
  const given = await service((storage) => ({
    commit: async (commit) => {
      const result = await storage.commit(commit)
      if (result.ok) commits.push(commit)
      return result
    },
  }))
  const { matchyard, projectId } = given
  const queueId = 'duel'
  const queue = { projectId, queueId }
  const history = async (page = {}) => matchyard.queues.history({ ...queue, limit: 100, ...page })
  return { ...given, commits, queue, history }
}

const difference = (maxDifference: number) => ({ type: 'difference' as const, field: 'mmr', maxDifference })

describe('the history of a queue', () => {
  it('tells who changed what, newest first, and is written with the change', async () => {
    const { matchyard, queue, history, commits, clock, data: kept } = await arena()
    await matchyard.queues.create({ ...queue, name: 'Duel', matchmaking: { rules: [difference(100)] } })
    clock.advance(1_000)
    const mint = { projectId: queue.projectId, type: 'server', name: 'ops' } as const
    const [owner] = kept.entities.get('account')?.keys() ?? []
    const { key: server } = await matchyard.keys.mint({ ...mint, accountId: owner ?? '' })
    const by = { kind: 'key', id: server.id } as const
    await matchyard.queues.update({
      ...queue,
      by,
      changes: { maxPlayers: 4, matchmaking: { rules: [difference(200), { type: 'region' }] } },
    })
    const { total, data } = await history()
    expect(total).toBe(2)
    expect(data).toMatchObject([
      {
        version: 2,
        at: clock.now(),
        by: { kind: 'key', id: server.id, name: server.name },
        changes: [
          { path: 'maxPlayers', before: 10, after: 4 },
          { path: 'matchmaking.rules[0].maxDifference', before: 100, after: 200 },
          { path: 'matchmaking.rules[1]', before: null, after: { type: 'region' } },
        ],
      },
      { version: 1, by: { kind: 'embedded', id: null, name: null }, changes: [] },
    ])
    expect(
      commits
        .at(-1)
        ?.writes.map(({ kind }) => kind)
        .sort(),
    ).toEqual(['queue', 'queue-version'])
    expect((await history({ limit: 1, offset: 1 })).data).toMatchObject([{ version: 1 }])
    // Nothing was changed, so the history has no new version.
    await matchyard.queues.update({ ...queue, changes: { maxPlayers: 4 } })
    expect((await history()).total).toBe(2)
  })

  it('takes a queue back, which is a change that can be undone too', async () => {
    const { matchyard, queue, history } = await arena()
    const first = await matchyard.queues.create({ ...queue, name: 'Duel', matchmaking: { rules: [difference(100)] } })
    const second = await matchyard.queues.update({
      ...queue,
      changes: { name: 'Duel 2', maxPlayers: 4, trustedFields: ['mmr'] },
    })
    const back = await matchyard.queues.restore({ ...queue, version: 1 })
    expect({ ...back, trustedFields: null }).toEqual({ ...first, version: 3, updatedAt: back.updatedAt })
    const again = await matchyard.queues.restore({ ...queue, version: 2 })
    expect(again).toEqual({ ...second, version: 4, updatedAt: again.updatedAt })
    expect((await matchyard.queues.restore({ ...queue, version: 4 })).version).toBe(4)
    expect((await history()).data.map(({ version, changes }) => [version, changes.length])).toEqual([
      [4, 3],
      [3, 3],
      [2, 3],
      [1, 0],
    ])
    for (const version of [0, 5, 1.5]) {
      await expect(matchyard.queues.restore({ ...queue, version })).rejects.toMatchObject({
        code: 'QUEUE_VERSION_NOT_FOUND',
      })
    }
  })

  it('holds the newest hundred', async () => {
    const { matchyard, queue, history, data } = await arena()
    await matchyard.queues.create({ ...queue, name: 'Duel' })
    for (let n = 2; n <= 105; n++) await matchyard.queues.update({ ...queue, changes: { timeoutSeconds: n } })
    const entries = (await history()).data
    expect(entries).toHaveLength(100)
    expect([entries[0]?.version, entries.at(-1)?.version]).toEqual([105, 6])
    expect(data.entities.get('queue-version')?.size).toBe(100)
    await expect(matchyard.queues.restore({ ...queue, version: 5 })).rejects.toMatchObject({
      code: 'QUEUE_VERSION_NOT_FOUND',
    })
    expect(await matchyard.queues.restore({ ...queue, version: 6 })).toMatchObject({ timeoutSeconds: 6 })
  })

  it('begins with what a queue was that is older than its history', async () => {
    const { matchyard, queue, history, data } = await arena()
    await matchyard.queues.create({ ...queue, name: 'Duel' })
    data.entities.get('queue-version')?.clear()
    expect((await history()).data).toEqual([])
    await matchyard.queues.update({ ...queue, changes: { name: 'Duel 2' } })
    expect((await history()).data).toMatchObject([{ version: 2 }, { version: 1, by: null, changes: [] }])
    expect(await matchyard.queues.restore({ ...queue, version: 1 })).toMatchObject({ name: 'Duel' })
  })

  it('ends with the queue, and with its project', async () => {
    const { matchyard, queue, history, data } = await arena()
    await matchyard.queues.create({ ...queue, name: 'Duel' })
    await matchyard.queues.update({ ...queue, changes: { name: 'Duel 2' } })
    await matchyard.queues.delete(queue)
    expect(data.entities.get('queue-version')?.size).toBe(0)
    await expect(history()).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' })
    await matchyard.queues.create({ ...queue, name: 'Duel 3' })
    expect((await history()).data).toMatchObject([{ version: 1, changes: [] }])
    const [account] = data.entities.get('account')?.keys() ?? []
    await matchyard.projects.delete({ accountId: account ?? '', projectId: queue.projectId })
    while ((await matchyard.worker.runDueJobs()) > 0);
    expect(data.entities.get('queue-version')?.size).toBe(0)
  })
})
