import type { Instant } from '../shared/time'
import type { Lobby, LobbyPlayer } from './lobby'

export const memberOf = (lobby: Lobby, playerId: string | undefined): LobbyPlayer | undefined =>
  playerId === undefined ? undefined : lobby.players.find((player) => player.playerId === playerId)

/** Returns a player who enters a lobby, with this state and what is known of its fields. */
export const newMember = (
  playerId: string,
  held: Omit<LobbyPlayer, 'playerId' | 'joinedAt' | 'byClient'>,
  { at, byClient }: { readonly at: Instant; readonly byClient?: boolean | undefined },
): LobbyPlayer => ({
  playerId,
  joinedAt: at,
  ...held,
  ...(byClient === true ? { byClient } : {}),
})

export const isHost = (lobby: Lobby, playerId: string | undefined): boolean => lobby.hostPlayerId === playerId

/** Returns the ids of the players of a lobby or a ticket. */
export const playerIdsOf = ({ players }: { readonly players: readonly { readonly playerId: string }[] }): string[] =>
  players.map(({ playerId }) => playerId)

/** Returns the ids of the players that the lobby bans. */
export const bannedFrom = ({ banned = [] }: Lobby): readonly string[] => banned

/** Returns the player who joined earliest, apart from the player who leaves; undefined when no player remains. */
export const successorOf = (lobby: Lobby, leaving: string): LobbyPlayer | undefined =>
  lobby.players.find((player) => player.playerId !== leaving)
