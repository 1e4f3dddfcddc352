import { type ConsumedMessage, ServiceError } from '@matchyard/core'
import { expect, it } from 'vitest'
import { CONSUME_WITHIN_MS } from '../../src/runtime/consume'
import { twoNodes } from './two-nodes'

const DAY_MS = 86_400_000

async function arena() {
  const { clock, storage, matchyard, other, projectId, accountId } = await twoNodes()
  await matchyard.queues.create({
    ...{ projectId, queueId: 'duel', name: 'Duel', concurrentMatches: true },
    matchmaking: { teams: 2, playersPerTeam: 1 },
  })
  let players = 0
  /** Makes a match of two new players, and runs the due jobs of the first node. Returns the id of the match. */
  const play = async () => {
    for (const playerId of [`p${players++}`, `p${players++}`]) {
      const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId })
      await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId })
    }
    await matchyard.matchmaking.runQueue(`${projectId}/duel`)
    await matchyard.worker.runDueJobs()
    const { data } = await matchyard.matches.list({ projectId, status: 'running' })
    const id = data[0]?.match.id
    if (id === undefined) throw new Error('a match was made')
    return id
  }
  const report = (matchId: string, winner: number, amend = false) =>
    matchyard.matches.result({
      ...{ projectId, matchId, amend },
      teams: [1, 2].map((team) => ({ name: `team_${team}`, rank: team === winner ? 1 : 2 })),
    })
  const seen: ConsumedMessage[] = []
  const note = (message: ConsumedMessage) => void seen.push(message)
  const told = () => seen.map(({ type }) => type)
  const due = async () => (await storage.metrics(clock.now())).jobsDue.filter(({ kind }) => kind.startsWith('consume'))
  return { matchyard, other, clock, storage, projectId, accountId, play, report, seen, note, told, due }
}

it('gives each event of a match after the first call, in order, with the match', async () => {
  const { matchyard, projectId, play, report, seen, note, told } = await arena()
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
  consumer.stop()
})

it('repeats a message whose handler failed, with its cursor, before the next one', async () => {
  const { matchyard, clock, projectId, play, report, seen, note } = await arena()
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
  const { matchyard, other, projectId, play, report, seen, note, told, due } = await arena()
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
  const { matchyard, projectId, play, report, note, told, due } = await arena()
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

it('gives up a handler that takes too long, and tries again', async () => {
  const { matchyard, clock, projectId, play, report, seen, note } = await arena()
  await matchyard.consume({ projectId, name: 'table', types: ['match.result'] }, (message) => {
    note(message)
    if (seen.length === 1) return new Promise(() => {})
    return undefined
  })
  const matchId = await play()
  await report(matchId, 1)
  const first = matchyard.worker.runDueJobs()
  while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve))
  clock.advance(CONSUME_WITHIN_MS)
  await first
  expect(seen[0]?.deadline).toBe(clock.now())
  clock.advance(1_000)
  await matchyard.worker.runDueJobs()
  expect(seen.map(({ type }) => type)).toEqual(['match.result', 'match.result'])
})

it('leaves nothing when a consumer is removed, when its project is deleted, and when its matches are pruned', async () => {
  const { matchyard, clock, storage, projectId, accountId, play, report, note, due } = await arena()
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

it('refuses a bad name, an unknown type, a seventeenth consumer and a second handler', async () => {
  const { matchyard, projectId, note } = await arena()
  const refused = (input: object) =>
    matchyard.consume({ projectId, name: 'ok', ...input }, note).then(
      () => undefined,
      (error: unknown) => (error instanceof ServiceError ? error.details : error),
    )
  expect(await refused({ name: 'Not a name' })).toMatchObject({ issues: [{ path: 'name' }] })
  expect(await refused({ types: ['match.resulted'] })).toMatchObject({ issues: [{ path: 'types.0' }] })
  for (let n = 0; n < 16; n++) await matchyard.consume({ projectId, name: `consumer_${n}` }, note)
  expect(await refused({})).toMatchObject({ issues: [{ path: 'name' }] })
  expect(await refused({ name: 'consumer_3' })).toBeInstanceOf(TypeError)
})
