import type { Storage } from '@matchyard/core/ports'
import { StorageUnavailable } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { type Service, service } from './service'

const MINUTE = 60_000

async function withQueues(around?: (storage: Storage) => Partial<Storage>) {
  const given = await service(around)
  const { matchyard, projectId } = given
  const inviteCodeConfig = { length: 4, charset: 'numeric' } as const
  await matchyard.queues.create({ projectId, queueId: 'slow', name: 'Slow', matchmaking: {}, inviteCodeConfig })
  await matchyard.queues.create({
    projectId,
    queueId: 'strict',
    name: 'Strict',
    heartbeat: true,
    heartbeatTimeoutSeconds: 10,
    lobbyTtlSeconds: 600,
    inviteCodeConfig,
  })
  return given
}

/** Returns a lobby of ann that moved from one queue to the other. */
async function moved({ matchyard, projectId }: Service) {
  const before = await matchyard.lobbies.create({ projectId, queueId: 'slow', playerId: 'ann' })
  const on = { projectId, lobbyId: before.id, playerId: 'ann' }
  // The time of its next check comes from the timeouts of its first queue.
  await matchyard.worker.runDueJobs()
  const after = await matchyard.lobbies.updateSettings({ ...on, changes: { queueId: 'strict' } })
  return { before, after, on }
}

describe('a lobby that moves to another queue', () => {
  it('gives up its invite code, which is held back for ten minutes', async () => {
    const holds: (number | 'absent')[] = []
    const given = await withQueues((storage) => ({
      commit: (commit) => {
        for (const write of commit.writes) if (write.kind === 'invite-hold') holds.push(write.expected)
        return storage.commit(commit)
      },
    }))
    const { before, after } = await moved(given)
    expect(after.inviteCode).not.toBe(before.inviteCode)
    expect(holds).toEqual(['absent'])
    given.clock.advance(10 * MINUTE)
    await given.matchyard.worker.runDueJobs()
    expect(holds.slice(0, 2)).toEqual(['absent', 1])
  })

  it('is watched by the timeouts of its new queue at once', async () => {
    const given = await withQueues()
    const { on } = await moved(given)
    await given.matchyard.worker.runDueJobs()
    given.clock.advance(10_000)
    await given.matchyard.worker.runDueJobs()
    await expect(given.matchyard.lobbies.get({ ...on, backend: true })).rejects.toMatchObject({
      code: 'LOBBY_NOT_FOUND',
    })
  })

  it('is not joined by the code that it had when somebody looked it up', async () => {
    let between: (() => Promise<unknown>) | undefined
    const given = await withQueues((storage) => ({
      find: async (kind, key) => {
        const found = await storage.find(kind, key)
        const now = between
        between = undefined
        await now?.()
        return found
      },
    }))
    const { matchyard, projectId } = given
    const lobby = await matchyard.lobbies.create({ projectId, queueId: 'slow', playerId: 'ann' })
    const on = { projectId, lobbyId: lobby.id, playerId: 'ann' }
    const join = () => matchyard.lobbies.joinByCode({ projectId, playerId: 'bob', inviteCode: lobby.inviteCode ?? '' })
    between = () => matchyard.lobbies.updateSettings({ ...on, changes: { queueId: 'strict' } })
    await expect(join()).rejects.toMatchObject({ code: 'INVALID_INVITE_CODE' })
  })
})

describe('an invite code whose lobby is deleted while it is looked up', () => {
  it('is no longer a code, and tells nothing of the lobby', async () => {
    let between: (() => Promise<unknown>) | undefined
    const given = await withQueues((storage) => ({
      find: async (kind, key) => {
        const found = await storage.find(kind, key)
        await between?.()
        return found
      },
    }))
    const { matchyard, projectId } = given
    const lobby = await matchyard.lobbies.create({ projectId, queueId: 'slow', playerId: 'ann' })
    between = () => matchyard.lobbies.delete({ projectId, lobbyId: lobby.id, backend: true })
    const join = matchyard.lobbies.joinByCode({ projectId, playerId: 'bob', inviteCode: lobby.inviteCode ?? '' })
    await expect(join).rejects.toMatchObject({ code: 'INVALID_INVITE_CODE' })
  })
})

describe('a queue that is disabled while a lobby enters it', () => {
  it('takes nobody in', async () => {
    let between: (() => Promise<unknown>) | undefined
    let reads = 0
    const given = await withQueues((storage) => ({
      get: async (kind, id) => {
        const found = await storage.get(kind, id)
        if (kind === 'queue' && between !== undefined && ++reads === 1) await between()
        return found
      },
    }))
    const { matchyard, projectId } = given
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'slow', playerId: 'ann' })
    between = () => matchyard.queues.update({ projectId, queueId: 'slow', changes: { enabled: false } })
    const entering = matchyard.lobbies.enqueue({ projectId, lobbyId, playerId: 'ann' })
    await expect(entering).rejects.toMatchObject({ code: 'QUEUE_DISABLED' })
  })
})

describe('presence', () => {
  it('is not noted for a lobby that its host has just deleted', async () => {
    const touched: string[] = []
    const given = await withQueues((storage) => ({
      presence: {
        ...storage.presence,
        touch: (entries) => {
          touched.push(...entries.map((entry) => entry.scope))
          return storage.presence.touch(entries)
        },
      },
    }))
    const { matchyard, projectId, clock } = given
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'slow', playerId: 'ann' })
    clock.advance(MINUTE)
    touched.length = 0
    await matchyard.lobbies.delete({ projectId, lobbyId, playerId: 'ann', backend: false })
    expect(touched).toEqual([])
  })

  it('is not kept up by a stream that could not be opened', async () => {
    let broken = false
    const given = await withQueues((storage) => ({
      events: {
        ...storage.events,
        read: (...args) => (broken ? Promise.reject(new StorageUnavailable('gone')) : storage.events.read(...args)),
      },
    }))
    const { matchyard, projectId, clock } = given
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'strict', playerId: 'ann' })
    broken = true
    const watching = matchyard.lobbies.watch({ projectId, lobbyId, playerId: 'ann', backend: false })
    await expect(watching).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    for (let i = 0; i < 12; i++) {
      clock.advance(1_000)
      await matchyard.worker.notePresence()
      await matchyard.worker.runDueJobs()
    }
    await expect(matchyard.lobbies.get({ projectId, lobbyId, backend: true })).rejects.toMatchObject({
      code: 'LOBBY_NOT_FOUND',
    })
  })
})

describe('a queue whose timeouts change', () => {
  it('has every lobby looked at again, also those behind one that is deleted meanwhile', async () => {
    let deleteFirst: (() => Promise<unknown>) | undefined
    const given = await withQueues((storage) => ({
      lobbies: {
        ...storage.lobbies,
        browse: async (query) => {
          const page = await storage.lobbies.browse(query)
          const now = deleteFirst
          deleteFirst = undefined
          await now?.()
          return page
        },
      },
    }))
    const { matchyard, projectId, clock } = given
    const ids: string[] = []
    for (let i = 0; i < 150; i++) {
      const lobby = await matchyard.lobbies.create({ projectId, queueId: 'slow', playerId: `player_${i}` })
      ids.push(lobby.id)
    }
    for (let i = 0; i < 4; i++) await matchyard.worker.runDueJobs()
    await matchyard.queues.update({ projectId, queueId: 'slow', changes: { lobbyTtlSeconds: 5 } })
    deleteFirst = () => matchyard.lobbies.delete({ projectId, lobbyId: ids[0] ?? '', backend: true })
    clock.advance(6_000)
    for (let i = 0; i < 6; i++) await matchyard.worker.runDueJobs()
    expect((await matchyard.lobbies.browse({ projectId, backend: true })).total).toBe(0)
  })
})
