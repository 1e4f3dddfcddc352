import type { AdminClient } from '@matchyard/client/admin'
import { ask, say } from '../../ui'

/** Ends the match of a lobby, once somebody has said that this is meant. */
export async function endMatch(admin: AdminClient, lobbyId: string): Promise<void> {
  const sure = await ask({
    title: 'End this match?',
    text: 'It ends for all of its players: its server is stopped, and its lobbies wait again.',
    confirm: 'End the match',
    danger: true,
  })
  if (!sure) return
  await admin.lobbies.endMatch(lobbyId)
  say('The match has ended; its lobbies wait again.')
}
