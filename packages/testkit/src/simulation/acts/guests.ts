import { GUESTS } from '../guests'
import { type Act, at, queueOf, stateOf } from './scene'

const guestOf = (index: number) => at(GUESTS, index) ?? 'gus'

/** What players do who are erased one day. */
export const guestActs = {
  visit: (scene) => {
    const { world, node, projectId, lobby, command } = scene
    const playerId = guestOf(command.b)
    if (!world.guests.mayCome(playerId)) return
    const come = { projectId, playerId, state: stateOf(scene) }
    world.call(node, 'visit', ({ lobbies }) =>
      world.guests.does(playerId, async () => {
        const joins = command.c % 3 === 0 && lobby !== undefined
        if (joins) return world.answered(await lobbies.join({ ...come, lobbyId: lobby.id }))
        const { id: lobbyId } = await lobbies.create({ ...come, queueId: queueOf(scene) })
        world.answered(await lobbies.enqueue({ projectId, lobbyId, playerId }))
      }),
    )
  },
  'erase-player': ({ world, node, projectId, command }) => {
    const playerId = guestOf(command.b)
    if (!world.guests.leave(playerId)) return
    world.call(node, 'erase-player', async ({ players }) => {
      await players.erase({ projectId, playerId })
      world.erased(playerId)
    })
  },
} satisfies Record<string, Act>
