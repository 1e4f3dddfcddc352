import { proposalOf } from '@matchyard/core/domain'
import { PLAYERS } from '../place'
import { type Act, at, onLobby, stateOf } from './scene'

/** Actions of players in a ready check. */
export const proposalActs = {
  /** Creates and queues two lobbies in the queue with a ready check, so that a proposal usually follows soon. */
  'seek-pair': (scene) => {
    const { world, node, projectId, command } = scene
    for (const playerId of [at(PLAYERS, command.b) ?? 'ann', at(PLAYERS, command.b + 1) ?? 'bob']) {
      world.call(node, 'create', async (matchyard) => {
        const lobby = await matchyard.lobbies.create({ projectId, queueId: 'asked', playerId, state: stateOf(scene) })
        world.answered(lobby)
        const on = { projectId, lobbyId: lobby.id, playerId }
        world.call(node, 'enqueue', async ({ lobbies }) => world.answered(await lobbies.enqueue(on)))
      })
    }
  },
  accept: (scene) => {
    const { world, node, projectId, lobby, command, now } = scene
    const held = lobby && proposalOf(lobby)
    // In most cases all players of the proposal accept, sometimes only one of them, sometimes a player that was not
    // asked.
    const asked = [...now.lobbies.values()].filter(
      (one) => held !== undefined && proposalOf(one)?.matchId === held.matchId,
    )
    const all = (asked.length > 0 ? asked : lobby === undefined ? [] : [lobby]).flatMap(({ id, players }) =>
      players.map(({ playerId }) => ({ lobbyId: id, playerId })),
    )
    for (const who of command.c % 4 === 0 ? all.slice(0, 1) : all) {
      world.call(node, 'accept', async ({ lobbies }) => world.answered(await lobbies.accept({ projectId, ...who })))
    }
  },
  decline: onLobby('decline', (m, on, { lobby, command }) =>
    m.lobbies.decline({ ...on, playerId: at(lobby?.players ?? [], command.b)?.playerId ?? 'ann' }),
  ),
} satisfies Record<string, Act>
