import { PLAYERS, QUEUE_IDS, TRUSTED_FIELD } from '../place'
import { type Act, at } from './scene'

/** Actions that make a queue trust a field, or no longer trust it, while a client writes that field. */
export const trustActs = {
  trust: ({ world, node, projectId, now, command }) => {
    const queueId = at(QUEUE_IDS, command.a) ?? 'duel'
    const trustedFields = command.b % 3 === 0 ? [] : [TRUSTED_FIELD]
    const there = [...now.lobbies.values()].filter((lobby) => lobby.queueId === queueId)
    const [lobby] = there.slice(command.c % Math.max(1, there.length))
    const playerId = lobby?.hostPlayerId ?? at(PLAYERS, command.b) ?? 'ann'
    world.call(at(world.nodes, command.c) ?? node, 'claim', async (matchyard) => {
      const claim = { projectId, playerId, state: { mmr: 0, [TRUSTED_FIELD]: 'claimed' } }
      const client = await world.proof.identify(matchyard, playerId, undefined)
      if (lobby === undefined) return matchyard.lobbies.create({ ...claim, client, queueId })
      return matchyard.lobbies.updatePlayer({ ...claim, client, lobbyId: lobby.id, targetPlayerId: playerId })
    })
    world.call(node, 'trust', ({ queues }) => queues.update({ projectId, queueId, changes: { trustedFields } }))
  },
} satisfies Record<string, Act>
