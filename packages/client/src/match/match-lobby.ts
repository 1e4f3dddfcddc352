import type { Lobby as LobbyData } from '../api/types'
import type { MatchyardError } from '../errors'

/** Parts of a lobby that searching for a match and playing it need: `Lobby` has them. */
export interface MatchLobby {
  readonly id: string
  /** Id of the player. */
  readonly me: string
  readonly current: LobbyData
  readonly isHost: boolean
  /** Reason of the end; undefined while the lobby is followed. */
  readonly closed: string | undefined
  refresh(): Promise<LobbyData>
  on(name: 'change', listener: (now: LobbyData) => void): () => void
  on(name: 'closed', listener: (reason: string, error?: MatchyardError) => void): () => void
}
