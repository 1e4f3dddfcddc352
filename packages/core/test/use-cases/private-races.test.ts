import type { QueueMatchmaking } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { expect, it } from 'vitest'
import { service } from './service'

it('a list that a backend writes is private, although the queue gets the rule in the same instant', async () => {
  const hook = { beforeWrite: async () => {} }
  const around = (storage: Storage): Partial<Storage> => ({
    async commit(commit) {
      const { beforeWrite } = hook
      hook.beforeWrite = async () => {}
      await beforeWrite()
      return storage.commit(commit)
    },
  })
  const { matchyard, projectId } = await service(around)
  const matchmaking: QueueMatchmaking = { teams: 2, playersPerTeam: 1 }
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', maxPlayers: 4, matchmaking })
  const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
  await matchyard.lobbies.join({ projectId, lobbyId, playerId: 'bob' })
  hook.beforeWrite = async () => {
    const changes = { matchmaking: { ...matchmaking, rules: [{ type: 'avoid' as const }] } }
    await matchyard.queues.update({ projectId, queueId: 'duel', changes })
    await matchyard.worker.runDueJobs()
  }
  const write = { projectId, lobbyId, playerId: 'ann', targetPlayerId: 'ann', state: { avoid: ['zed'] } }
  await matchyard.lobbies.updatePlayer(write)
  const { players } = await matchyard.lobbies.get({ projectId, lobbyId, playerId: 'bob', backend: false })
  expect(players.map(({ state }) => state)).toEqual([{}, {}])
})
