import { PLAYERS, QUEUE_IDS } from '../place'
import { type Act, at } from './scene'

/** Actions of a backend that bans a player from the project or from a queue, and lifts the ban. */
export const banActs = {
  'ban-player': ({ world, node, projectId, command }) => {
    const playerId = at(PLAYERS, command.a) ?? 'ann'
    const queues = command.b % 3 === 0 ? [at(QUEUE_IDS, command.b) ?? 'duel'] : null
    // Most bans end soon, so that the banned player plays again.
    const until = command.c % 4 === 0 ? null : world.clock.now() + 1_000 * (1 + (command.c % 20))
    world.call(node, 'ban-player', ({ bans }) => bans.set({ projectId, playerId, until, queues }))
  },
  'lift-ban': ({ world, node, projectId, now, command }) => {
    const playerId = at([...now.bans.values()], command.a)?.playerId
    if (playerId == null) return
    world.call(node, 'lift-ban', ({ bans }) => bans.delete({ projectId, playerId }))
  },
} satisfies Record<string, Act>
