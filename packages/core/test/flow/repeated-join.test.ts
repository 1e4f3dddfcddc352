import { createMatchyard } from '@matchyard/core'
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
