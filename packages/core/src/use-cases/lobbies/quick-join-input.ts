import type { SettingsFilter } from '../../lobby/labels'
import type { Lobby } from '../../lobby/lobby'
import type { ByClient } from '../../lobby/on-lobby'
import type { InProject } from '../../project/in-project'
import type { JsonObject } from '../../shared/json'

export interface QuickJoinInput extends InProject, ByClient {
  /** Player who joins. */
  readonly playerId: string
  /** Queue of the lobby. */
  readonly queueId: string
  /** Settings that the lobby must have. A lobby that is created gets these settings. */
  readonly filter?: SettingsFilter | undefined
  /** State of the player. */
  readonly state?: JsonObject | undefined
  /** Whether to create a lobby when no open lobby has a free seat. Default: yes. */
  readonly create?: boolean | undefined
}

/** Lobby that a player has joined. */
export interface QuickJoined {
  /** The lobby, with the player. */
  readonly lobby: Lobby
  /** Whether the lobby was created for this player. */
  readonly made: boolean
}
