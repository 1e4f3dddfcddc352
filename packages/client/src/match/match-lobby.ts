import type { Lobby as LobbyData } from '../api/types'
import type { MatchyardError } from '../errors'

/** The members of `Lobby` that the code for searches and matches needs. */
export interface MatchLobby {
  readonly id: string
  /** Id of the player. */
  readonly me: string
  readonly current: LobbyData
  readonly isHost: boolean
  /** Reason why the lobby is no longer followed; undefined while it is followed. */
  readonly closed: string | undefined
  refresh(): Promise<LobbyData>
  on(name: 'change', listener: (now: LobbyData) => void): () => void
  on(name: 'closed', listener: (reason: string, error?: MatchyardError) => void): () => void
}
