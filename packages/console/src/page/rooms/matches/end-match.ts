import type { AdminClient } from '@matchyard/client/admin'
import { ask, say } from '../../ui'

/** Asks for confirmation, and then ends the match of a lobby. */
export async function endMatch(admin: AdminClient, lobbyId: string): Promise<void> {
  const sure = await ask({
    title: 'End this match?',
    text: 'The match ends for all players. Its server stops, and its lobbies go back to waiting.',
    confirm: 'End the match',
    danger: true,
  })
  if (!sure) return
  await admin.lobbies.endMatch(lobbyId)
  say('The match has ended. Its lobbies are waiting again.')
}
