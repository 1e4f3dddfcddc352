import { PLAYERS, QUEUE_IDS } from '../place'
import { type Act, at, stateOf } from './scene'

/** Actions of players who search in several queues, on two devices that call two nodes. */
export const searchActs = {
  /** Enters two to four queues at the same time as the same player. Sometimes one of the lobbies starts directly. */
  'seek-many': (scene) => {
    const { world, projectId, somebody: playerId, command } = scene
    const count = 2 + (command.c % 3)
    for (let index = 0; index < count; index++) {
      const device = at(world.nodes, command.node + index)
      if (device === undefined) return
      const queueId = at(QUEUE_IDS, command.a + index) ?? 'duel'
      const starts = index === 0 && command.a % 6 === 0
      world.call(device, 'create', async (matchyard) => {
        const lobby = await matchyard.lobbies.create({ projectId, queueId, playerId, state: stateOf(scene) })
        world.answered(lobby)
        const on = { projectId, lobbyId: lobby.id, playerId }
        world.call(device, starts ? 'start' : 'enqueue', async ({ lobbies }) =>
          world.answered(await (starts ? lobbies.start(on) : lobbies.enqueue(on))),
        )
      })
    }
  },
  'leave-match': ({ world, node, projectId, command, somebody, now }) => {
    // In most cases a player who is in a match, or is asked to accept one.
    const busy = PLAYERS.filter((player) => now.playing.has(player))
    const playerId = at(busy.length > 0 && command.b % 6 !== 0 ? busy : [somebody], command.a) ?? somebody
    world.call(node, 'leave-match', ({ players }) => players.leaveMatch({ projectId, playerId }))
  },
  self: ({ world, node, projectId, somebody: playerId }) =>
    world.call(node, 'self', ({ players }) => players.self({ projectId, playerId })),
} satisfies Record<string, Act>
