import { createMatchyard } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { fakePlatform } from '@matchyard/testkit'
import { expect, it } from 'vitest'

it('answers a repeated join by code from its record, though the lobby is gone since', async () => {
  const { logger: _, ...platform } = fakePlatform()
  const matchyard = createMatchyard({ storage: memoryStorage(), ...platform })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
  const lobby = await matchyard.lobbies.create({ projectId, playerId: 'ann', queueId: 'duel' })
  const join = { projectId, playerId: 'bob', inviteCode: lobby.inviteCode ?? '' }
  const call = { idempotency: { id: 'bob-joins', requestHash: 'by code' } }
  const first = await matchyard.lobbies.joinByCode(join, call)
  await matchyard.lobbies.delete({ projectId, lobbyId: lobby.id, backend: true })
  expect(await matchyard.lobbies.joinByCode(join, call)).toEqual(first)
  await expect(matchyard.lobbies.joinByCode(join)).rejects.toMatchObject({ code: 'INVALID_INVITE_CODE' })
  const otherBody = { idempotency: { ...call.idempotency, requestHash: 'another body' } }
  await expect(matchyard.lobbies.joinByCode(join, otherBody)).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' })
})

it('answers a call that another node carries out meanwhile as that node did, though it is refused by now', async () => {
  const storage = memoryStorage()
  const nodeOver = (over: Storage, seed: number) => createMatchyard({ ...fakePlatform({ seed }), storage: over })
  const first = nodeOver(storage, 1)
  const { id: projectId } = await first.projects.ensure({ name: 'arena' })
  const queue = { projectId, queueId: 'duel', name: 'Duel' }
  const call = { idempotency: { id: 'duel', requestHash: 'a queue' } }
  const answers: unknown[] = []
  // The second node finds no record of the call; before it continues, the first node carries out the call.
  const get = async (kind: never, id: never) => {
    const found = await storage.get(kind, id)
    if (kind === 'idempotency' && answers.length === 0) answers.push(await first.queues.create(queue, call))
    return found
  }
  const late = new Proxy(storage, { get: (target, key) => (key === 'get' ? get : Reflect.get(target, key)) })
  expect(await nodeOver(late, 2).queues.create(queue, call)).toEqual(answers[0])
  await expect(first.queues.create(queue)).rejects.toMatchObject({ code: 'QUEUE_EXISTS' })
})
