import { createMatchyard, ServiceError } from '@matchyard/core'
import { fakePlatform } from '@matchyard/testkit'
import { expect, it } from 'vitest'
import { consuming } from './consuming'

const DAY_MS = 86_400_000

it('gives each event of a match after the first call, in order, with the match', async () => {
  const { matchyard, projectId, play, report, seen, note, told } = await consuming()
  const before = await play()
  await matchyard.matches.end({ projectId, matchId: before })
  const consumer = await matchyard.consume({ projectId, name: 'table' }, note)
  const matchId = await play()
  await matchyard.worker.runDueJobs()
  await report(matchId, 1)
  await matchyard.worker.runDueJobs()
  await matchyard.matches.end({ projectId, matchId })
  await matchyard.worker.runDueJobs()
  expect(told()).toEqual(['match.found', 'match.started', 'match.result', 'match.ended'])
  expect(seen.every((one) => one.matchId === matchId && one.match.id === matchId)).toBe(true)
  const cursors = seen.map(({ cursor }) => cursor)
  expect(cursors).toEqual([...new Set(cursors)].sort((a, b) => a - b))
  expect(seen[2]?.match.result?.teams[0]).toMatchObject({ rank: 1 })
  expect(seen[2]?.match).not.toHaveProperty('counted')
  consumer.stop()
})

it('repeats a message whose handler failed, with its cursor, before the next one', async () => {
  const { matchyard, clock, projectId, play, report, seen, note } = await consuming()
  let failures = 2
  await matchyard.consume({ projectId, name: 'table', types: ['match.result', 'match.ended'] }, (message) => {
    note(message)
    if (failures-- > 0) throw new Error('the table is locked')
  })
  const matchId = await play()
  await report(matchId, 2)
  await matchyard.matches.end({ projectId, matchId })
  for (let tries = 0; tries < 5; tries++) {
    await matchyard.worker.runDueJobs()
    clock.advance(1_000)
  }
  const [result, again, third, ended] = seen
  expect(seen.map(({ type }) => type)).toEqual(['match.result', 'match.result', 'match.result', 'match.ended'])
  expect([again?.cursor, third?.cursor]).toEqual([result?.cursor, result?.cursor])
  expect(ended?.cursor).toBeGreaterThan(result?.cursor ?? 0)
})

it('keeps the messages while no node has a handler, one of each type, and gives them to any node later', async () => {
  const { matchyard, other, projectId, play, report, seen, note, told, due } = await consuming()
  const consumer = await matchyard.consume({ projectId, name: 'table', types: ['match.result'] }, note)
  consumer.stop()
  const matchId = await play()
  await report(matchId, 1)
  await report(matchId, 2, true)
  await matchyard.worker.runDueJobs()
  expect(told()).toEqual([])
  expect((await due()).map(({ count }) => count)).toEqual([1])
  await other.consume({ projectId, name: 'table', types: ['match.result'] }, note)
  await other.worker.runDueJobs()
  expect(told()).toEqual(['match.result'])
  expect(seen[0]?.match.result?.teams[1]).toMatchObject({ rank: 1 })
  expect(await due()).toEqual([])
})

it('gives a message that arrives while the handler runs', async () => {
  const { matchyard, projectId, play, report, note, told, due } = await consuming()
  let matchId = ''
  await matchyard.consume({ projectId, name: 'table', types: ['match.result'] }, async (message) => {
    note(message)
    if (told().length === 1) await report(matchId, 2, true)
  })
  matchId = await play()
  await report(matchId, 1)
  await matchyard.worker.runDueJobs()
  expect(told()).toEqual(['match.result', 'match.result'])
  expect(await due()).toEqual([])
})

it('leaves nothing when a consumer is removed, when its project is deleted, and when its matches are pruned', async () => {
  const { matchyard, clock, storage, projectId, accountId, play, report, note, due } = await consuming()
  const names = ['removed', 'pruned'] as const
  for (const name of names) {
    const consumer = await matchyard.consume({ projectId, name, types: ['match.result'] }, note)
    consumer.stop()
  }
  const matchId = await play()
  await report(matchId, 1)
  await matchyard.matches.end({ projectId, matchId })
  expect((await due()).length).toBe(2)
  await matchyard.removeConsumer({ projectId, name: 'removed' })
  await matchyard.removeConsumer({ projectId, name: 'removed' })
  await matchyard.worker.runDueJobs()
  expect((await due()).map(({ kind }) => kind)).toEqual([`consume:${projectId}/pruned`])
  expect(await storage.get('backlog', `${projectId}/removed/${matchId}`)).toBeUndefined()
  clock.advance(91 * DAY_MS)
  await matchyard.worker.runDueJobs()
  expect(await storage.get('backlog', `${projectId}/pruned/${matchId}`)).toBeUndefined()
  expect(await due()).toEqual([])
  const later = await play()
  await report(later, 1)
  expect((await due()).length).toBe(1)
  await matchyard.projects.delete({ accountId, projectId })
  await matchyard.worker.runDueJobs()
  await matchyard.worker.runDueJobs()
  expect(await due()).toEqual([])
})

it('begins anew when it is removed and added again at once, also with an event between its messages', async () => {
  const { matchyard, projectId, play, report, seen, note, due } = await consuming()
  const consumer = await matchyard.consume({ projectId, name: 'table', types: ['match.result'] }, note)
  consumer.stop()
  const [quiet, busy] = [await play(), await play()]
  for (const matchId of [quiet, busy]) await report(matchId, 1)
  await matchyard.removeConsumer({ projectId, name: 'table' })
  const again = await matchyard.consume({ projectId, name: 'table', types: ['match.result', 'match.ended'] }, note)
  await matchyard.matches.end({ projectId, matchId: busy })
  await matchyard.worker.runDueJobs()
  expect(seen.map(({ type, matchId }) => [type, matchId])).toEqual([['match.ended', busy]])
  expect(await due()).toEqual([])
  again.stop()
})

it('leaves out waiting messages of a type that it no longer has', async () => {
  const { matchyard, other, projectId, play, report, note, told, due } = await consuming()
  const consumer = await matchyard.consume({ projectId, name: 'table' }, note)
  consumer.stop()
  const matchId = await play()
  await report(matchId, 1)
  await matchyard.matches.end({ projectId, matchId })
  await other.consume({ projectId, name: 'table', types: ['match.found', 'match.result'] }, note)
  await other.worker.runDueJobs()
  expect(told()).toEqual(['match.found', 'match.result'])
  expect(await due()).toEqual([])
})

it('is pruned with its matches in commits of at most 200 rows, and leaves no job that waits for a handler', async () => {
  const { matchyard, storage, clock, projectId, play, note, due } = await consuming()
  const consumers = await Promise.all(
    Array.from({ length: 16 }, (_, n) => matchyard.consume({ projectId, name: `consumer_${n}` }, note)),
  )
  for (const consumer of consumers) consumer.stop()
  for (let n = 0; n < 13; n++) await matchyard.matches.end({ projectId, matchId: await play() })
  expect((await due()).reduce((sum, { count }) => sum + count, 0)).toBe(13 * 16)
  clock.advance(91 * DAY_MS)
  const rows: number[] = []
  const commit: typeof storage.commit = (changes) => {
    rows.push(changes.writes.length)
    return storage.commit(changes)
  }
  const pruner = createMatchyard({
    ...fakePlatform({ clock, seed: 3 }),
    storage: { ...storage, commit },
    nodeId: 'node_3',
  })
  await pruner.open()
  await pruner.worker.runDueJobs()
  expect(rows.filter((count) => count > 20)).toEqual([187, 34])
  while ((await pruner.worker.runDueJobs()) > 0);
  expect(await storage.metrics(clock.now())).toMatchObject({ jobsDue: [] })
})

it('refuses a bad name, an unknown type, a seventeenth consumer and a second handler', async () => {
  const { matchyard, projectId, note } = await consuming()
  const refused = (input: object) =>
    matchyard.consume({ projectId, name: 'ok', ...input }, note).then(
      () => undefined,
      (error: unknown) => (error instanceof ServiceError ? error.details : error),
    )
  expect(await refused({ name: 'Not a name' })).toMatchObject({ issues: [{ path: 'name' }] })
  expect(await refused({ types: ['match.resulted'] })).toMatchObject({ issues: [{ path: 'types.0' }] })
  expect(await refused({ type: ['match.result'] })).toMatchObject({ issues: [{ path: 'type' }] })
  for (let n = 0; n < 16; n++) await matchyard.consume({ projectId, name: `consumer_${n}` }, note)
  expect(await refused({})).toMatchObject({ issues: [{ path: 'name' }] })
  expect(await refused({ name: 'consumer_3' })).toBeInstanceOf(TypeError)
})
