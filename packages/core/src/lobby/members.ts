import type { Lobby, LobbyPlayer } from './lobby'

export const memberOf = (lobby: Lobby, playerId: string | undefined): LobbyPlayer | undefined =>
  playerId === undefined ? undefined : lobby.players.find((player) => player.playerId === playerId)

export const isHost = (lobby: Lobby, playerId: string | undefined): boolean => lobby.hostPlayerId === playerId

/** The ids of players whom the lobby keeps out. */
export const bannedFrom = ({ banned = [] }: Lobby): readonly string[] => banned

/** The longest-present player other than the host. */
export const successorOf = (lobby: Lobby, leaving: string): LobbyPlayer | undefined =>
  lobby.players.find((player) => player.playerId !== leaving)
