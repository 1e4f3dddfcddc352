import type { MessageType } from '@matchyard/core'
import { type Commit, type Entities, type EntityKind, FetchFailed, type Storage } from '@matchyard/core/ports'
import type { MemoryData } from '@matchyard/storage-memory'
import { FakeGuardedFetch } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { service } from './service'

const SECOND = 1_000
const DAY = 86_400_000
const url = 'https://studio.example/hooks'

/** Returns a service with a webhook's receiver, and the list of its commits. */
async function listening(around: (storage: Storage) => Partial<Storage> = () => ({})) {
  const commits: Commit[] = []
  const receiver = new FakeGuardedFetch()
  const keep = (storage: Storage): Partial<Storage> => {
    const inner = { ...storage, ...around(storage) }
    return {
      ...inner,
      commit: async (commit) => {
        const result = await inner.commit(commit)
        if (result.ok) commits.push(commit)
        return result
      },
    }
  }
  const given = await service(keep, { guardedFetch: receiver })
  const { matchyard, projectId, clock } = given
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', inviteCodeConfig: { enabled: false } })
  const make = async (types?: MessageType[]) => (await matchyard.webhooks.create({ projectId, url, types })).webhook
  const open = async () => (await matchyard.lobbies.create({ projectId, playerId: 'ann', queueId: 'duel' })).id
  const end = (lobbyId: string) => matchyard.lobbies.delete({ projectId, lobbyId, backend: true })
  const settle = async () => {
    while ((await matchyard.worker.runDueJobs()) > 0);
  }
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settle()
  }
  return { ...given, commits, receiver, make, open, end, settle, pass }
}

const all = <K extends EntityKind>(data: MemoryData, kind: K): Entities[K][] =>
  [...(data.entities.get(kind)?.values() ?? [])].map(({ value }) => value as Entities[K])
const kinds = (commit: Commit | undefined) => commit?.writes.map(({ kind }) => kind).sort()

describe('a commit that has something to tell', () => {
  it('writes not one row more where nobody listens, and looks at its project', async () => {
    const { open, end, commits, projectId } = await listening()
    await end(await open())
    const commit = commits.at(-1)
    expect(kinds(commit)).toEqual(['lobby'])
    expect(commit?.jobs).toEqual([])
    expect(commit?.checks).toContainEqual({ kind: 'project', id: projectId, expected: expect.any(Number) })
  })

  it('carries one message, and its way to each who wants it', async () => {
    const { open, end, make, commits, matchyard, projectId } = await listening()
    const [both, ended] = [await make(), await make(['lobby.deleted'])]
    await make(['match.found'])
    const off = await make(['lobby.deleted'])
    await matchyard.webhooks.update({ projectId, webhookId: off.id, changes: { enabled: false } })
    const lobbyId = await open()
    await end(lobbyId)
    const commit = commits.at(-1)
    expect(kinds(commit)).toEqual(['delivery', 'delivery', 'lobby', 'message'])
    const puts = commit?.writes.flatMap((write) => ('put' in write ? [write] : [])) ?? []
    const [message] = puts.flatMap((write) => (write.kind === 'message' ? [write.put] : []))
    expect(message).toMatchObject({ type: 'lobby.deleted', projectId, subject: { lobby: { id: lobbyId, version: 2 } } })
    const deliveries = puts.flatMap((write) => (write.kind === 'delivery' ? [write.put] : []))
    expect(deliveries.map(({ webhookId }) => webhookId)).toEqual([both.id, ended.id])
    expect(new Set(deliveries.map(({ messageId }) => messageId))).toEqual(new Set([message?.id]))
    expect(commit?.jobs.map(({ kind, tenant }) => [kind, tenant])).toEqual(
      deliveries.map(({ webhookId }) => ['send-delivery', webhookId]),
    )
  })

  it('is decided once and carries other messages where somebody begins to listen just then', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined
    const given = await listening((storage) => ({
      commit: async (commit) => {
        const now = meanwhile
        if (now !== undefined && commit.writes.some(({ kind }) => kind === 'lobby')) {
          meanwhile = undefined
          await now()
        }
        return storage.commit(commit)
      },
    }))
    const { open, end, make, data } = given
    const lobbyId = await open()
    meanwhile = () => make()
    await end(lobbyId)
    expect(all(data, 'message').map(({ type }) => type)).toEqual(['lobby.deleted'])
    meanwhile = async () => {
      const [webhook] = all(data, 'webhook')
      await given.matchyard.webhooks.delete({ projectId: given.projectId, webhookId: webhook?.id ?? '' })
    }
    await end(await open())
    expect(all(data, 'message')).toHaveLength(1)
  })

  it('leaves nothing behind where it is lost', async () => {
    let lose = false
    const given = await listening((storage) => ({
      commit: async (commit) => {
        if (!lose) return storage.commit(commit)
        lose = false
        return { ok: false, conflict: { kind: 'lobby', id: 'lob', on: 'version' } }
      },
    }))
    await given.make()
    const lobbyId = await given.open()
    lose = true
    await given.end(lobbyId)
    expect(all(given.data, 'message')).toHaveLength(1)
    expect(all(given.data, 'delivery')).toHaveLength(1)
  })
})

describe('what is sent', () => {
  it('is tried again with longer and longer waits, under one id, until it is taken', async () => {
    const { open, end, make, receiver, settle, pass, data } = await listening()
    await make(['lobby.deleted'])
    await end(await open())
    const answers = [503, 302, 200]
    receiver.answer = () => ({ status: answers.shift() ?? 200 })
    await settle()
    expect(all(data, 'delivery')[0]).toMatchObject({ status: 'pending', attempts: [{ statusCode: 503 }] })
    await pass(4 * SECOND)
    expect(receiver.requests).toHaveLength(1)
    await pass(2 * SECOND)
    expect(receiver.requests).toHaveLength(2)
    await pass(34 * SECOND)
    const [delivery] = all(data, 'delivery')
    expect(delivery).toMatchObject({ status: 'delivered', nextAttemptAt: null })
    expect(delivery?.attempts.map(({ statusCode, error }) => [statusCode, error])).toEqual([
      [503, 'answered 503'],
      [302, 'answered 302'],
      [200, null],
    ])
    expect(new Set(receiver.requests.map(({ request }) => request.headers['webhook-id'])).size).toBe(1)
    expect(receiver.requests.every(({ request }) => request.timeoutMs === 15 * SECOND)).toBe(true)
  })

  it('is given up after three days, and five days of failures alone disable the webhook', async () => {
    const { open, end, make, receiver, pass, data } = await listening()
    await make(['lobby.deleted'])
    receiver.answer = () => {
      throw new FetchFailed('timeout', 'no whole answer within 15000 ms')
    }
    await end(await open())
    for (let hours = 0; hours < 75; hours++) await pass(DAY / 24)
    expect(all(data, 'delivery')[0]).toMatchObject({ status: 'failed', nextAttemptAt: null })
    expect(all(data, 'webhook')[0]).toMatchObject({ enabled: true })
    await end(await open())
    for (let hours = 0; hours < 60; hours++) await pass(DAY / 24)
    expect(all(data, 'webhook')[0]).toMatchObject({ enabled: false, disabledReason: 'failing' })
    expect(all(data, 'project')[0]?.listeners).toMatchObject([{ enabled: false }])
    await end(await open())
    expect(all(data, 'message')).toHaveLength(2)
  })

  it('is given up where the account is disabled, and not sent', async () => {
    const { open, end, make, receiver, settle, data, matchyard } = await listening()
    await make(['lobby.deleted'])
    await end(await open())
    const [project] = all(data, 'project')
    await matchyard.accounts.disable({ accountId: project?.accountId ?? '' })
    await settle()
    expect(receiver.requests).toEqual([])
    expect(all(data, 'delivery')).toMatchObject([
      { status: 'failed', attempts: [{ error: 'its account is disabled' }] },
    ])
  })

  it('stops at once where the endpoint is gone, also what was under way', async () => {
    const { open, end, make, receiver, settle, pass, data } = await listening()
    await make(['lobby.deleted'])
    const answers = [500, 410]
    receiver.answer = () => ({ status: answers.shift() ?? 200 })
    await end(await open())
    await settle()
    await end(await open())
    await settle()
    expect(all(data, 'webhook')[0]).toMatchObject({ enabled: false, disabledReason: 'gone' })
    await pass(DAY)
    expect(all(data, 'delivery').map(({ status }) => status)).toEqual(['failed', 'failed'])
    expect(receiver.requests).toHaveLength(2)
  })

  it('is refused by the address at each attempt, whatever it was at creation', async () => {
    const { open, end, make, receiver, settle, data } = await listening()
    await make(['lobby.deleted'])
    receiver.refuses = () => 'studio.example resolves to a private address'
    await end(await open())
    await settle()
    expect(receiver.requests).toEqual([])
    expect(all(data, 'delivery')[0]?.attempts).toMatchObject([
      { statusCode: null, error: expect.stringContaining('a private address') },
    ])
  })

  it('is given up with its webhook, and with its project', async () => {
    const { open, end, make, receiver, settle, data, matchyard, projectId } = await listening()
    const webhook = await make(['lobby.deleted'])
    await end(await open())
    await matchyard.webhooks.delete({ projectId, webhookId: webhook.id })
    await settle()
    expect([receiver.requests, all(data, 'delivery')[0]?.status]).toEqual([[], 'failed'])
    await make(['lobby.deleted'])
    await open()
    const [project] = all(data, 'project')
    await matchyard.projects.delete({ accountId: project?.accountId ?? '', projectId })
    await settle()
    expect(all(data, 'lobby')).toEqual([])
    expect([receiver.requests, all(data, 'webhook'), all(data, 'delivery').length]).toEqual([[], [], 1])
  })

  it('is forgotten after seven days', async () => {
    const { open, end, make, pass, data } = await listening()
    await make(['lobby.deleted'])
    await end(await open())
    await pass(7 * DAY - 1)
    expect([all(data, 'message').length, all(data, 'delivery').length]).toEqual([1, 1])
    await pass(3_600 * SECOND)
    expect([all(data, 'message').length, all(data, 'delivery').length]).toEqual([0, 0])
  })

  it('holds up nobody: an endpoint that hangs has ten hands, and the others are served', async () => {
    const { open, end, make, receiver, data, matchyard, projectId, clock } = await listening()
    await make(['lobby.deleted'])
    await matchyard.webhooks.create({ projectId, url: 'https://hangs.example/', types: ['lobby.deleted'] })
    let hanging = 0
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    receiver.answer = async ({ url: to }) => {
      if (!to.includes('hangs')) return { status: 200 }
      hanging++
      await held
      return { status: 200 }
    }
    for (let count = 0; count < 30; count++) await end(await open())
    await matchyard.start()
    const delivered = () => all(data, 'delivery').filter(({ status }) => status === 'delivered').length
    for (let turns = 0; turns < 2_000 && delivered() < 30; turns++) {
      clock.advance(1)
      await new Promise(setImmediate)
    }
    expect([delivered(), hanging]).toEqual([30, 10])
    release()
    await matchyard.stop()
  })
})
