import type { SettingsFilter } from '../../lobby/labels'
import type { Lobby } from '../../lobby/lobby'
import type { ByClient } from '../../lobby/on-lobby'
import type { InProject } from '../../project/in-project'
import type { JsonObject } from '../../shared/json'

export interface QuickJoinInput extends InProject, ByClient {
  readonly playerId: string
  readonly queueId: string
  /** Settings that the lobby must have; a newly made lobby gets these. */
  readonly filter?: SettingsFilter | undefined
  /** The player's state. */
  readonly state?: JsonObject | undefined
  /** Whether to make a lobby where none has room. Default: yes. */
  readonly create?: boolean | undefined
}

export interface QuickJoined {
  readonly lobby: Lobby
  /** Whether it was made for this player. */
  readonly made: boolean
}
