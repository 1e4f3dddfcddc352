import { checkParty } from '@matchyard/matchmaking'
import { LOBBY_PLAYERS } from '../catalog/limits'
import { accept, type Decision, reject, rejectInvalid } from '../errors/decision'
import type { JsonObject } from '../shared/json'
import { faultDetails, whyNever, whyTooLarge } from './party-fault'
import type { Queue } from './queue'

/** Rejects with QUEUE_DISABLED when the queue is disabled: no lobby can be created in it, moved to it, or enter its matchmaking. */
export const takesLobbies = (queue: Queue): Decision<never> =>
  queue.enabled
    ? accept()
    : reject('QUEUE_DISABLED', `queue ${queue.queueId} is disabled; it accepts no lobbies until it is enabled`)

/** Rejects with VALIDATION_FAILED when a lobby of the queue cannot have this maximum number of players. */
export function playersWithin(queue: Queue, maxPlayers: number): Decision<never> {
  if (Number.isInteger(maxPlayers) && maxPlayers >= LOBBY_PLAYERS.min && maxPlayers <= queue.maxPlayers) return accept()
  const message = `must be from ${LOBBY_PLAYERS.min} to ${queue.maxPlayers}, the maximum of queue ${queue.queueId}`
  return rejectInvalid([{ path: 'maxPlayers', message }])
}

/** Rejects with MATCHMAKING_NOT_CONFIGURED; `mend` says what the caller can do. */
export const noMatchmaking = ({ queueId }: Queue, mend: string) =>
  reject('MATCHMAKING_NOT_CONFIGURED', `queue ${queueId} has no matchmaking; ${mend}`)

/**
 * Rejects with MATCHMAKING_NOT_CONFIGURED when the queue has no matchmaking, because matchmaking finds the new players for running matches.
 */
export const mayAskForPlayers = (queue: Queue): Decision<never> =>
  queue.matchmaking === null ? noMatchmaking(queue, 'it cannot match players') : accept()

export interface Party {
  readonly lobbyId: string
  readonly players: readonly { readonly playerId: string; readonly state: JsonObject }[]
}

/**
 * Checks whether a party may wait in the queue (docs/matchmaking.md). Rejects with MATCHMAKING_NOT_CONFIGURED, PARTY_TOO_LARGE,
 * PARTY_CANNOT_MATCH.
 */
export function admitParty(queue: Queue, { lobbyId, players }: Party): Decision<never> {
  const { matchmaking } = queue
  if (matchmaking === null)
    return noMatchmaking(queue, 'add matchmaking settings to the queue, or start the lobby directly')
  const verdict = checkParty(matchmaking, players)
  if (verdict.ok) return accept()
  if (verdict.code === 'PARTY_TOO_LARGE') {
    return reject(verdict.code, whyTooLarge(queue, { lobbyId, count: players.length, most: verdict.most }))
  }
  return reject(
    verdict.code,
    `the players of ${lobbyId} can never be matched in this queue: ${whyNever(verdict)}`,
    faultDetails(verdict),
  )
}

/** Returns the `game_version` in the host's state, which selects the build to launch; null when the queue does not use game versions. */
export function versionOfParty(queue: Queue, host: { readonly state: JsonObject } | undefined): string | null {
  if (queue.matchmaking?.useVersionFromState !== true) return null
  const version = host?.state.game_version
  return typeof version === 'string' ? version : null
}

/**
 * Rejects a direct start with PARTY_CANNOT_MATCH when the queue does not allow the players' game version. A direct start does not compare
 * parties, but it launches the build of this version.
 */
export function admitVersion(queue: Queue, lobbyId: string, version: string | null): Decision<never> {
  const allowed = queue.matchmaking?.allowedVersions
  if (version === null || allowed === undefined || allowed.includes(version)) return accept()
  const detail = `${lobbyId} plays version ${JSON.stringify(version)}; queue ${queue.queueId} allows ${allowed.join(', ')}`
  return reject('PARTY_CANNOT_MATCH', detail, { rule: 'version' })
}

/**
 * Rejects with PARTY_CANNOT_MATCH a player whose game version is not that of the running match, when the queue uses game versions.
 */
export function playsVersion(
  queue: Queue,
  player: { readonly state: JsonObject } | undefined,
  version: string | null,
): Decision<never> {
  const own = versionOfParty(queue, player)
  if (queue.matchmaking?.useVersionFromState !== true || own === version) return accept()
  const detail = `the match plays version ${JSON.stringify(version)}, and state.game_version of the player is ${JSON.stringify(own)}`
  return reject('PARTY_CANNOT_MATCH', detail, { rule: 'version' })
}

/** Whether the matches of the queue are played on servers that the studio's backend assigns. */
export const playsExternally = ({ serverSettings }: Queue): boolean => serverSettings?.source === 'external'

/** A build that a launch needs: a name, and the version when the queue fixes one. */
export interface WantedBuild {
  readonly versionTag: string
  /** Fixed version of the build. Absent: the newest version that is ready and not disabled. */
  readonly pinnedVersion?: number
}

/**
 * Returns the build that a match launches. The players' game version replaces the `versionTag` of the server settings. Returns undefined
 * when the match launches no build: no build is configured, the studio assigns its own server, or this installation cannot launch servers.
 * A fixed version applies only to the build in the settings, and not to another build that the players' game version names.
 */
export function buildToLaunch(queue: Queue, gameVersion: string | null, launches: boolean): WantedBuild | undefined {
  if (queue.serverSettings === null || playsExternally(queue) || !launches) return undefined
  const { versionTag: named, version } = queue.serverSettings
  const versionTag = gameVersion ?? named
  if (versionTag === undefined) return undefined
  return { versionTag, ...(versionTag === named && version ? { pinnedVersion: version } : {}) }
}

/** Whether a match of the queue launches a server, for any game version of its players. */
export const mayLaunch = (queue: Queue, launches: boolean): boolean =>
  buildToLaunch(queue, queue.matchmaking?.useVersionFromState === true ? '' : null, launches) !== undefined
