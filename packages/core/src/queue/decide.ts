import { checkParty } from '@matchyard/matchmaking'
import { LOBBY_PLAYERS } from '../catalog/limits'
import { accept, type Decision, reject, rejectInvalid } from '../errors/decision'
import type { JsonObject } from '../shared/json'
import { faultDetails, whyNever, whyTooLarge } from './party-fault'
import type { Queue } from './queue'

/** A queue that is disabled takes no lobby: none is made in it, moved to it, or enters its matchmaking. */
export const takesLobbies = (queue: Queue): Decision<never> =>
  queue.enabled
    ? accept()
    : reject('QUEUE_DISABLED', `queue ${queue.queueId} is disabled; it takes no lobbies until it is enabled again`)

/** How many players a lobby of the queue may hold. Rejects VALIDATION_FAILED. */
export function playersWithin(queue: Queue, maxPlayers: number): Decision<never> {
  if (Number.isInteger(maxPlayers) && maxPlayers >= LOBBY_PLAYERS.min && maxPlayers <= queue.maxPlayers) return accept()
  const message = `must be from ${LOBBY_PLAYERS.min} to ${queue.maxPlayers}, the most that queue ${queue.queueId} allows`
  return rejectInvalid([{ path: 'maxPlayers', message }])
}

const noMatchmaking = ({ queueId }: Queue, mend: string) =>
  reject('MATCHMAKING_NOT_CONFIGURED', `queue ${queueId} has no matchmaking; ${mend}`)

/** Newcomers for a match that runs are found by the queue's matchmaking as it is. Rejects MATCHMAKING_NOT_CONFIGURED. */
export const mayAskForPlayers = (queue: Queue): Decision<never> =>
  queue.matchmaking === null ? noMatchmaking(queue, 'it can match no players') : accept()

export interface Party {
  readonly lobbyId: string
  readonly players: readonly { readonly playerId: string; readonly state: JsonObject }[]
}

/**
 * Whether a party may wait in the queue (design, "Validity" 4 and 6). Rejects MATCHMAKING_NOT_CONFIGURED, PARTY_TOO_LARGE,
 * PARTY_CANNOT_MATCH.
 */
export function admitParty(queue: Queue, { lobbyId, players }: Party): Decision<never> {
  const { matchmaking } = queue
  if (matchmaking === null) return noMatchmaking(queue, 'set it, or start the lobby directly')
  const verdict = checkParty(matchmaking, players)
  if (verdict.ok) return accept()
  if (verdict.code === 'PARTY_TOO_LARGE') {
    return reject(verdict.code, whyTooLarge(queue, { lobbyId, count: players.length, most: verdict.most }))
  }
  return reject(
    verdict.code,
    `the party of ${lobbyId} could never be matched: ${whyNever(verdict)}`,
    faultDetails(verdict),
  )
}

/** The build version that a party's match would launch, where the players' state decides it. */
export function versionOfParty(queue: Queue, host: { readonly state: JsonObject } | undefined): string | null {
  if (queue.matchmaking?.useVersionFromState !== true) return null
  const version = host?.state.game_version
  return typeof version === 'string' ? version : null
}

/** A direct start seeks nobody, and launches what the players' version names all the same: within what the queue allows. */
export function admitVersion(queue: Queue, lobbyId: string, version: string | null): Decision<never> {
  const allowed = queue.matchmaking?.allowedVersions
  if (version === null || allowed === undefined || allowed.includes(version)) return accept()
  const detail = `${lobbyId} plays version ${JSON.stringify(version)}; queue ${queue.queueId} allows ${allowed.join(', ')}`
  return reject('PARTY_CANNOT_MATCH', detail, { rule: 'version' })
}

/** Whether a match of the queue is played on a server that the studio's backend brings. */
export const playsExternally = ({ serverSettings }: Queue): boolean => serverSettings?.source === 'external'

/** A build as a launch asks for it: by its name, and by a version where one is pinned. */
export interface WantedBuild {
  readonly versionTag: string
  /** Absent: the newest that is ready and not disabled. */
  readonly pinnedVersion?: number
}

/**
 * Returns the build that a match launches: the players' version takes the place of the template's (design, "Small print"). undefined
 * where none is: nothing is asked for, the studio brings its own server, or nothing can be launched in this installation. A version
 * that is pinned is one of the template's build, so it holds for no other build that players name.
 */
export function buildToLaunch(queue: Queue, gameVersion: string | null, launches: boolean): WantedBuild | undefined {
  if (queue.serverSettings === null || playsExternally(queue) || !launches) return undefined
  const { versionTag: named, version } = queue.serverSettings
  const versionTag = gameVersion ?? named
  if (versionTag === undefined) return undefined
  return { versionTag, ...(versionTag === named && version ? { pinnedVersion: version } : {}) }
}

/** Whether a match of the queue launches a server, whatever its players' version. */
export const mayLaunch = (queue: Queue, launches: boolean): boolean =>
  buildToLaunch(queue, queue.matchmaking?.useVersionFromState === true ? '' : null, launches) !== undefined
