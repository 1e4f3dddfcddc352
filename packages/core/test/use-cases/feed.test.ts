import type { FeedMessage, FeedView } from '@matchyard/core'
import { copyMemoryData, goBackTo } from '@matchyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { type Service, service, settled } from './service'

const HOUR = 3_600_000
const PACE = 100

const settledTwice = async () => {
  for (let turn = 0; turn < 5; turn++) await settled()
  return undefined
}

function textOf(message: FeedMessage): string {
  if (message.event !== 'change') return message.event
  return `${message.kind} ${message.version}${message.change === 'deleted' ? ' deleted' : ''}`
}

/** Collects the messages of a feed in the background. */
function follow(feed: FeedView): {
  readonly texts: string[]
  take(): Promise<string[]>
  readonly ended: Promise<void>
} {
  const texts: string[] = []
  const ended = (async () => {
    for await (const message of feed) texts.push(textOf(message))
  })()
  return {
    texts,
    ended,
    async take() {
      await settledTwice()
      return texts.splice(0)
    },
  }
}

async function given(around?: Parameters<typeof service>[0]): Promise<Service> {
  const made = await service(around)
  await made.matchyard.queues.create({
    projectId: made.projectId,
    queueId: 'duel',
    name: 'Duel',
    serverSettings: { versionTag: 'arena' },
  })
  return made
}

describe('the feed of a project', () => {
  it('tells of a queue that is gone at once, where nothing else changes', async () => {
    const { matchyard, projectId } = await given()
    const reader = follow(await matchyard.feed(projectId))
    expect(await reader.take()).toEqual(['hello'])
    await matchyard.queues.delete({ projectId, queueId: 'duel' })
    expect(await reader.take()).toEqual(['queue 2 deleted'])
  })

  it('says hello, and then what changes, each thing as its get shows it', async () => {
    const { matchyard, projectId, clock } = await given()
    const feed = await matchyard.feed(projectId)
    expect(await feed.next()).toEqual({ event: 'hello', cursor: feed.cursor })
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    const first = await feed.next()
    const lobby = await matchyard.lobbies.get({ projectId, lobbyId, backend: true })
    expect(first).toEqual({ event: 'change', kind: 'lobby', id: lobbyId, version: 1, change: 'updated', data: lobby })
    await matchyard.lobbies.start({ projectId, lobbyId, playerId: 'ann' })
    clock.advance(PACE)
    const more = [await feed.next(), await feed.next(), await feed.next()]
    expect(more.map((message) => message && textOf(message)).sort()).toEqual(['lobby 2', 'match 1', 'server 1'])
    const match = more.find((message) => message?.event === 'change' && message.kind === 'match')
    const matchId = match?.event === 'change' ? match.id : ''
    expect(match).toMatchObject({ data: await matchyard.matches.get({ projectId, matchId }), change: 'updated' })
    const server = more.find((message) => message?.event === 'change' && message.kind === 'server')
    const instanceId = server?.event === 'change' ? server.id : ''
    expect(server).toMatchObject({ data: await matchyard.servers.get({ projectId, instanceId }) })
    feed.close()
    expect(await feed.next()).toBeUndefined()
  })

  it('tells of one thing every 100 ms at the most, and of its newest version', async () => {
    const { matchyard, projectId, clock } = await given()
    const reader = follow(await matchyard.feed(projectId))
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    expect(await reader.take()).toEqual(['hello', 'lobby 1'])
    const on = { projectId, lobbyId, playerId: 'ann' }
    for (const name of ['a', 'b', 'c']) await matchyard.lobbies.updateSettings({ ...on, changes: { name } })
    clock.advance(PACE - 1)
    expect(await reader.take()).toEqual([])
    clock.advance(1)
    expect(await reader.take()).toEqual(['lobby 4'])
    await matchyard.lobbies.delete({ ...on, backend: true })
    clock.advance(PACE)
    expect(await reader.take()).toEqual(['lobby 5 deleted'])
  })

  it('tells only of the kinds that were asked for', async () => {
    const { matchyard, projectId, clock } = await given()
    const reader = follow(await matchyard.feed(projectId, { kinds: ['queue', 'build'] }))
    await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    await matchyard.queues.update({ projectId, queueId: 'duel', changes: { name: 'Other' } })
    clock.advance(PACE)
    expect(await reader.take()).toEqual(['hello', 'queue 2'])
    const error = matchyard.feed(projectId, { kinds: ['lobbies'] as never })
    await expect(error).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await expect(matchyard.feed(projectId, { kind: [] } as never)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('tells a match again when its server changes, and a queue when a build for it does', async () => {
    const { matchyard, projectId, clock } = await given()
    const reader = follow(await matchyard.feed(projectId, { kinds: ['match', 'queue'] }))
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    await matchyard.lobbies.start({ projectId, lobbyId, playerId: 'ann' })
    clock.advance(PACE)
    await reader.take()
    await matchyard.builds.registerImage({ projectId, name: 'other', imageUrl: 'games/other:1' })
    clock.advance(PACE)
    expect(await reader.take()).toEqual(['queue 1'])
    const { data } = await matchyard.servers.list({ projectId })
    await matchyard.servers.stop({ projectId, instanceId: data[0]?.id ?? '' })
    clock.advance(PACE)
    expect((await reader.take())[0]).toMatch(/^match/)
  })

  it('goes on after a cursor, without a gap, with what changed meanwhile', async () => {
    const { matchyard, projectId, clock } = await given()
    const first = await matchyard.feed(projectId)
    await first.next()
    const { cursor } = first
    first.close()
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'bob' })
    const reader = follow(await matchyard.feed(projectId, { cursor }))
    expect(await reader.take()).toEqual(['hello', 'lobby 1', 'lobby 1'])
    await matchyard.lobbies.updateSettings({ projectId, lobbyId, playerId: 'ann', changes: { name: 'a' } })
    clock.advance(PACE)
    expect(await reader.take()).toEqual(['lobby 2'])
  })

  it('begins with a gap after a cursor that is not known, of another project, or too old', async () => {
    const { matchyard, projectId, clock } = await given()
    const other = await matchyard.projects.ensure({ name: 'other' })
    const foreign = await matchyard.feed(other.id)
    await foreign.next()
    const own = await matchyard.feed(projectId)
    await own.next()
    own.close()
    for (const cursor of ['17', '%', `${own.cursor}x`, foreign.cursor]) {
      const feed = await matchyard.feed(projectId, { cursor })
      // A reader that disconnects before the gap gets the gap again when it returns.
      const again = await matchyard.feed(projectId, { cursor: feed.cursor })
      expect([(await again.next())?.event, (await again.next())?.event]).toEqual(['hello', 'gap'])
      again.close()
      expect([(await feed.next())?.event, (await feed.next())?.event]).toEqual(['hello', 'gap'])
      expect(feed.cursor).not.toBe(cursor)
      feed.close()
    }
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    await matchyard.lobbies.delete({ projectId, lobbyId, backend: true })
    clock.advance(2 * HOUR)
    await matchyard.worker.runDueJobs()
    const reader = follow(await matchyard.feed(projectId, { cursor: own.cursor }))
    expect(await reader.take()).toEqual(['hello', 'gap'])
  })

  it('tells everybody of a gap where the storage has gone back', async () => {
    const { matchyard, projectId, clock, data } = await given()
    const backup = copyMemoryData(data)
    const feed = await matchyard.feed(projectId)
    const reader = follow(feed)
    await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    expect(await reader.take()).toEqual(['hello', 'lobby 1'])
    const { cursor } = feed
    goBackTo(data, backup)
    clock.advance(PACE)
    expect(await reader.take()).toEqual(['gap'])
    await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'bob' })
    clock.advance(PACE)
    expect(await reader.take()).toEqual(['lobby 1'])
    expect(await follow(await matchyard.feed(projectId, { cursor })).take()).toContain('gap')
  })

  it('looks by itself where every signal is lost, and its cursor stays young while nothing happens', async () => {
    const { matchyard, projectId, clock } = await given(() => ({ subscribe: () => () => {} }))
    const feed = await matchyard.feed(projectId)
    const reader = follow(feed)
    await reader.take()
    const begun = feed.cursor
    await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    for (let turn = 0; turn < 2; turn++) {
      await settledTwice()
      clock.advance(15_000)
    }
    expect(await reader.take()).toEqual(['lobby 1'])
    const other = await matchyard.feed(projectId, { kinds: ['build'] })
    const quiet = follow(other)
    await quiet.take()
    await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'bob' })
    for (let turn = 0; turn < 30; turn++) {
      clock.advance(15_000)
      await settledTwice()
    }
    expect(await quiet.take()).toEqual([])
    expect(other.cursor).toBe(feed.cursor)
    expect(other.cursor).not.toBe(begun)
  })

  it('ends with its key where the signal of that was lost, at the next look', async () => {
    const { matchyard, projectId, clock } = await given(() => ({ subscribe: () => () => {} }))
    const { accountId } = await matchyard.projects.ensure({ name: 'arena' })
    const { key } = await matchyard.keys.mint({ accountId, projectId, type: 'server' })
    const reader = follow(await matchyard.feed(projectId, { keyId: key.id }))
    await matchyard.keys.revoke({ accountId, projectId, keyId: key.id })
    clock.advance(15_000)
    await reader.ended
  })

  it('ends with its project, also where that is deleted as it begins, and with the service', async () => {
    const { matchyard, projectId } = await given()
    const { accountId } = await matchyard.projects.ensure({ name: 'arena' })
    const made = await matchyard.projects.ensure({ name: 'short' })
    const reader = follow(await matchyard.feed(made.id))
    await matchyard.projects.delete({ accountId: made.accountId, projectId: made.id })
    await reader.ended
    await expect(matchyard.feed(made.id)).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' })
    await expect(matchyard.feed('prj_none')).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' })
    const last = follow(await matchyard.feed(projectId))
    expect(matchyard.openStreams()).toBe(1)
    expect(accountId).toBe(made.accountId)
    await matchyard.stop()
    await last.ended
    expect(matchyard.openStreams()).toBe(0)
  })

  it('ends with its key, and with the account behind it', async () => {
    const { matchyard, projectId } = await given()
    const { accountId } = await matchyard.projects.ensure({ name: 'arena' })
    const [one, two] = [
      await matchyard.keys.mint({ accountId, projectId, type: 'server' }),
      await matchyard.keys.mint({ accountId, projectId, type: 'server' }),
    ]
    const first = follow(await matchyard.feed(projectId, { keyId: one.key.id }))
    const second = follow(await matchyard.feed(projectId, { keyId: two.key.id }))
    const own = await matchyard.feed(projectId)
    await matchyard.keys.revoke({ accountId, projectId, keyId: one.key.id })
    await first.ended
    await matchyard.accounts.disable({ accountId })
    await second.ended
    expect(own.pages.isOver).toBe(false)
  })

  it('goes on where the storage could not be read for a while', async () => {
    let isDown = false
    const { matchyard, projectId, clock } = await given((storage) => ({
      changes: {
        ...storage.changes,
        since: (...query) => (isDown ? Promise.reject(new Error('down')) : storage.changes.since(...query)),
      },
    }))
    const reader = follow(await matchyard.feed(projectId))
    expect(await reader.take()).toEqual(['hello'])
    clock.advance(PACE)
    isDown = true
    await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    expect(await reader.take()).toEqual([])
    isDown = false
    clock.advance(1_000)
    expect(await reader.take()).toEqual(['lobby 1'])
  })
})
