import type { Region } from '../catalog/regions'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { Lobby } from './lobby'
import { newMember } from './members'

/** Properties of a new lobby. An absent property takes its default. */
export interface LobbyDesign {
  readonly projectId: string
  /** Id of the player who creates the lobby and becomes its host. */
  readonly playerId: string
  readonly queueId: string
  readonly name?: string | undefined
  readonly region?: Region | undefined
  readonly isPrivate?: boolean | undefined
  readonly maxPlayers?: number | undefined
  readonly settings?: JsonObject | undefined
  /** State of the host as a player. */
  readonly state?: JsonObject | undefined
}

/** Returns a new lobby in `waiting`. `given` has the values that `design` does not contain. */
export function newLobby(
  design: LobbyDesign,
  given: {
    readonly id: string
    readonly accountId: string
    readonly maxPlayers: number
    readonly inviteCode: string | null
    readonly quickJoinKey?: string
    /** Fields of the host's state whose values come from a backend or a token. */
    readonly proven?: readonly string[] | undefined
    /** Private fields of the host's state. */
    readonly hidden?: readonly string[] | undefined
    /** Whether a client key names the host. */
    readonly byClient?: boolean
    readonly at: Instant
  },
): Lobby {
  const { id, accountId, maxPlayers, inviteCode, quickJoinKey, proven, hidden, byClient, at } = given
  const held = {
    state: design.state ?? {},
    ...(proven === undefined ? {} : { proven }),
    ...(hidden === undefined ? {} : { hidden }),
  }
  const host = newMember(design.playerId, held, { at, byClient })
  return {
    id,
    version: 1,
    projectId: design.projectId,
    accountId,
    queueId: design.queueId,
    status: 'waiting',
    hostPlayerId: design.playerId,
    isPrivate: design.isPrivate ?? false,
    maxPlayers,
    players: [host],
    name: design.name ?? null,
    region: design.region ?? null,
    inviteCode,
    settings: design.settings ?? {},
    server: null,
    matchId: null,
    ticket: null,
    lastExit: null,
    ...(quickJoinKey === undefined || maxPlayers === 1 ? {} : { quickJoinKey }),
    banned: [],
    createdAt: at,
    updatedAt: at,
  }
}
