import { createMatchyard, type MatchyardOptions } from '@matchyard/core'
import type { Logger } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { type FakeLogger, fakePlatform } from '@matchyard/testkit'
import { expect, test } from 'vitest'

const fault = (): never => {
  throw new Error('the disk of the log is full')
}
const BROKEN_LOGGER: Logger = { debug: fault, info: fault, warn: fault, error: fault }

async function service(options: Partial<MatchyardOptions> = {}) {
  const platform = fakePlatform()
  const matchyard = createMatchyard({ ...platform, storage: memoryStorage(), ...options })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', matchmaking: {} })
  const lobby = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
  const join = (playerId: string) => matchyard.lobbies.join({ projectId, lobbyId: lobby.id, playerId })
  return { ...platform, matchyard, projectId, lobby, join }
}

const errorsOf = (logger: FakeLogger) =>
  logger.lines.filter(({ message }) => message === 'a listener threw').map(({ fields }) => fields)

test('a listener that throws fails no call, and the listeners after it hear of the event', async () => {
  const { matchyard, join, logger } = await service()
  const heard: string[] = []
  matchyard.events.on('player_joined', fault)
  matchyard.events.on('player_joined', ({ player }) => heard.push(player.playerId))
  matchyard.events.on('*', fault)
  matchyard.events.on('*', ({ type }) => heard.push(type))
  expect((await join('bob')).players).toHaveLength(2)
  expect(heard).toEqual(['bob', 'player_joined'])
  expect(errorsOf(logger)).toEqual([
    { event: 'player_joined', error: 'Error: the disk of the log is full' },
    { event: 'player_joined', error: 'Error: the disk of the log is full' },
  ])
})

test('a listener that rejects later is a line in the log, not the end of the process', async () => {
  const { matchyard, join, logger } = await service()
  matchyard.events.on('player_joined', async () => fault())
  await join('bob')
  await Promise.resolve()
  expect(errorsOf(logger)).toHaveLength(1)
})

test('a listener is taken off by itself, hears once where once was asked, and twice where it was added twice', async () => {
  const { matchyard, join } = await service()
  const heard: string[] = []
  const listener = ({ type }: { type: string }) => heard.push(type)
  matchyard.events.once('player_joined', listener)
  await join('bob')
  await join('cid')
  expect(heard).toEqual(['player_joined'])
  matchyard.events.on('*', listener).addListener('*', listener)
  await join('dan')
  expect(heard).toHaveLength(3)
  matchyard.events.off('*', listener)
  expect(matchyard.events.listenerCount('*')).toBe(0)
  matchyard.events.on('*', listener).removeListener('*', listener)
  await join('eve')
  expect(heard).toHaveLength(3)
})

test('a logger that throws fails no call and no tick', async () => {
  const { matchyard, join, projectId, lobby } = await service({ logger: BROKEN_LOGGER })
  // The logger would report a listener's fault, and a lost race at each of two joins.
  matchyard.events.on('*', fault)
  await Promise.all([join('bob'), join('cid')])
  expect((await matchyard.lobbies.get({ projectId, lobbyId: lobby.id, backend: true })).players).toHaveLength(3)
  await matchyard.worker.runDueJobs()
})

test('whoever is told of a lost commit may throw: it is decided again all the same', async () => {
  const storage = memoryStorage()
  let lost = 0
  const { join } = await service({
    storage: {
      ...storage,
      commit: async (commit) => {
        const joins = commit.writes.some((write) => write.kind === 'lobby' && write.expected === 1)
        if (!joins || lost++ > 0) return storage.commit(commit)
        return { ok: false, conflict: { kind: 'lobby', id: 'lob', on: 'version' } }
      },
    },
    onConflict: fault,
  })
  expect((await join('bob')).players).toHaveLength(2)
  expect(lost).toBe(2)
})
