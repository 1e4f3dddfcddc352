import type { Lobby, Matchyard } from '@matchyard/core'
import { GUESTS } from '../guests'
import { type Act, at, queueOf } from './scene'
import { inWords } from './words'

const guestOf = (index: number) => at(GUESTS, index) ?? 'gus'

/** Actions of guests: players who are erased later in the run. */
export const guestActs = {
  visit: (scene) => {
    const { world, node, projectId, lobby, command } = scene
    const playerId = guestOf(command.b)
    if (!world.guests.mayCome(playerId)) return
    const calls = (name: string, run: (matchyard: Matchyard) => Promise<Lobby>) =>
      world.call(node, name, (matchyard) =>
        world.guests.does(playerId, async () => {
          const answer = await run(matchyard)
          world.answered(answer)
          if (name === 'visit' && answer.hostPlayerId === playerId) {
            calls('enqueue', ({ lobbies }) => lobbies.enqueue({ projectId, lobbyId: answer.id, playerId }))
          }
        }),
      )
    const joins = command.c % 3 === 0 && lobby !== undefined
    calls('visit', (matchyard) =>
      inWords(scene, matchyard, { playerId }, (said) => {
        const come = { projectId, playerId, ...said }
        if (joins) return matchyard.lobbies.join({ ...come, lobbyId: lobby.id })
        return matchyard.lobbies.create({ ...come, queueId: queueOf(scene) })
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
