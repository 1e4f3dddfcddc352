import type { LobbySnapshot } from '@matchyard/client'

/** Activity of a player in a lobby: it waits, searches, or has a match. */
export type Doing = 'lobby' | 'searching' | 'match'

/** Player who is in a lobby now. */
export interface Present {
  readonly playerId: string
  readonly joinedAt: string
  readonly lobby: LobbySnapshot
}

/** Returns the activity of the players of a lobby. */
export function doingOf({ status }: Pick<LobbySnapshot, 'status'>): Doing {
  if (status === 'waiting') return 'lobby'
  return status === 'in_queue' ? 'searching' : 'match'
}

/** Returns the players of lobbies, those who joined last first. */
export const presentIn = (lobbies: readonly LobbySnapshot[]): readonly Present[] =>
  lobbies
    .flatMap((lobby) =>
      lobby.players.map(({ player_id, joined_at }): Present => ({ playerId: player_id, joinedAt: joined_at, lobby })),
    )
    .sort((a, b) => b.joinedAt.localeCompare(a.joinedAt))
