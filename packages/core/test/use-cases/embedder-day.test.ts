import { createMatchyard } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, fakePlatform } from '@matchyard/testkit'
import { expect, it } from 'vitest'

async function arena() {
  const matchyard = createMatchyard({ ...fakePlatform({ clock: new FakeClock(), seed: 1 }), storage: memoryStorage() })
  await matchyard.open()
  const { id } = await matchyard.projects.ensure({ name: 'arena' })
  return { matchyard, project: matchyard.project(id) }
}

const DUEL = { queueId: 'duel', name: 'Duel', matchmaking: { teams: 2, playersPerTeam: 1 } }

it('makes a queue, changes what differs, and keeps what is omitted', async () => {
  const { project } = await arena()
  expect(await project.queues.ensure({ ...DUEL, timeoutSeconds: 90 })).toMatchObject({ version: 1, timeoutSeconds: 90 })
  expect(await project.queues.ensure(DUEL)).toMatchObject({ version: 1, timeoutSeconds: 90 })
  expect(await project.queues.ensure({ ...DUEL, name: 'Duels' })).toMatchObject({ version: 2, name: 'Duels' })
  const { data } = await project.queues.history({ queueId: 'duel' })
  expect(data.map(({ settings }) => settings.name)).toEqual(['Duels', 'Duel'])
  await expect(project.queues.ensure({ ...DUEL, maxPlayer: 2 } as never)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  })
})

it('ends with one queue when several processes ensure it at once', async () => {
  const { project } = await arena()
  const names = ['one', 'two', 'three']
  const made = await Promise.all(names.map((name) => project.queues.ensure({ ...DUEL, name })))
  expect(made.map(({ name }) => name)).toEqual(names)
  expect((await project.queues.list({})).total).toBe(1)
})

it('gives the calls of one project without its id', async () => {
  const { project } = await arena()
  await project.queues.ensure(DUEL)
  const { id: lobbyId } = await project.lobbies.create({ queueId: 'duel', playerId: 'ann' })
  await project.lobbies.enqueue({ lobbyId, playerId: 'ann' })
  expect(await project.players.self({ playerId: 'ann' })).toMatchObject({ searches: [{ lobbyId }] })
  await expect(project.lobbies.create({ queueId: 'duel', playerID: 'ann' } as never)).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  })
  const feed = await project.feed()
  expect(await feed.next()).toMatchObject({ event: 'hello' })
})

it('gives the messages of a lobby to a loop, which closes the stream when it ends early', async () => {
  const { project } = await arena()
  await project.queues.ensure(DUEL)
  const { id: lobbyId } = await project.lobbies.create({ queueId: 'duel', playerId: 'ann' })
  const stream = await project.lobbies.watch({ lobbyId, playerId: 'ann', backend: false })
  await project.lobbies.enqueue({ lobbyId, playerId: 'ann' })
  const seen: string[] = []
  for await (const { lobby } of stream) {
    seen.push(lobby.status)
    if (lobby.status === 'in_queue') break
  }
  expect([seen, stream.isOver]).toEqual([['waiting', 'in_queue'], true])
})
