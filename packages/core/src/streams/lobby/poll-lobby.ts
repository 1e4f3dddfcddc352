import { POLL_SECONDS } from '../../catalog/limits'
import { unavailableInsteadOf } from '../../commit/transact'
import { validationFailed } from '../../errors/service-error'
import { asSeenBy } from '../../lobby/as-seen'
import type { Lobby } from '../../lobby/lobby'
import { memberOf } from '../../lobby/members'
import type { OnLobbyByBackend } from '../../lobby/on-lobby'
import { noteRead } from '../../node/note-read'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { noSuchLobby, requireLobby } from '../../reads/require'
import { type Instant, SECOND_MS } from '../../shared/time'
import type { Seats } from '../places'
import { SEATS } from '../stream-limits'
import type { LobbyFeeds } from './lobby-feeds'
import type { LobbyStream } from './lobby-stream'
import { holderOf, keepPresent, requireTimeLeft } from './watch-lobby'

/** Signal that ends a wait early, such as an `AbortSignal`. */
export interface CancelSignal {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export interface PollLobbyInput extends OnLobbyByBackend {
  /** Lobby version that the caller knows. */
  readonly afterVersion: number
  /** Seconds to wait: a whole number from 0 to 25. */
  readonly waitSeconds: number
  /** API key of the caller; the wait ends when the key is revoked. */
  readonly keyId?: string | undefined
  /** Account that owns the key. The projects of one account share a bounded part of the node's places. */
  readonly accountId?: string | undefined
  /** Ends the wait early, for instance when the caller disconnects. */
  readonly signal?: CancelSignal | undefined
  /** Time at which the caller's right to wait ends, by its key or token; the wait ends then as after its full time. */
  readonly until?: Instant | undefined
  /** Address of the caller, when addresses distinguish callers. The callers of one address share a bounded part of the key's places. */
  readonly address?: string | undefined
}

/**
 * Returns the lobby as soon as its version differs from the version that the caller knows; undefined when it has not changed after the
 * wait. A wait takes the place of a stream and counts as a heartbeat, as a stream does. Throws LOBBY_NOT_FOUND, also on a deletion,
 * UNAVAILABLE, VALIDATION_FAILED, and INVALID_PLAYER_TOKEN for a wait after `until`.
 */
export function pollLobby(ctx: Service, feeds: LobbyFeeds, input: PollLobbyInput): Promise<Lobby | undefined> {
  const { projectId, lobbyId, afterVersion, waitSeconds, signal } = input
  const { min, max } = POLL_SECONDS
  return unavailableInsteadOf(async () => {
    if (!Number.isInteger(waitSeconds) || waitSeconds < min || waitSeconds > max) {
      throw validationFailed([{ path: 'waitSeconds', message: `must be a whole number from ${min} to ${max}` }])
    }
    const lobby = await requireLobby(ctx, projectId, lobbyId)
    await noteRead(ctx, lobby, input)
    if (lobby.version !== afterVersion) return asSeenBy(lobby, input)
    if (waitSeconds === 0 || signal?.aborted === true) return undefined
    requireTimeLeft(ctx, input.until)
    // Reads with a server key do not count as activity of a lobby (docs/http-api.md §6). A caller that is not a member may read too,
    // without a heartbeat.
    const member = input.backend ? undefined : memberOf(lobby, input.playerId)
    const { keyId } = input
    const place = feeds.room.places.take(holderOf(input, seatsOf(lobbyId, member?.playerId)))
    const reader = { projectId, playerId: member?.playerId ?? '', backend: member === undefined, keyId }
    const stream = feeds.open(lobby, reader, lobby.version, place)
    const end = () => stream.close()
    const leftMs = (input.until ?? Number.POSITIVE_INFINITY) - ctx.clock.now()
    const cancelTimer = ctx.timers.after(Math.max(0, Math.min(waitSeconds * SECOND_MS, leftMs)), end)
    signal?.addEventListener('abort', end)
    try {
      if (member !== undefined) await keepPresent(ctx, stream, lobby)
      await feeds.catchUp(stream)
      const newest = await newestOf(stream)
      // The log is shorter than before, or was pruned before it was read: the present lobby is compared.
      if (newest === undefined && stream.dropped) return await differing(ctx, input)
      return newest && asSeenBy(newest, input)
    } finally {
      cancelTimer()
      signal?.removeEventListener('abort', end)
      stream.close()
    }
  })
}

/**
 * Returns the places for waits. A member has a few, and the newest ones stay. Callers that are not members share the places of the lobby,
 * under any player id.
 */
const seatsOf = (lobbyId: string, member: string | undefined): Seats =>
  member === undefined
    ? { name: `stranger's wait ${lobbyId}`, most: SEATS.strangersWaitsPerLobby, past: 'refused' }
    : { name: `wait ${lobbyId} ${member}`, most: SEATS.waitsPerPlayer, past: 'oldest ends' }

/** Returns the lobby after the last ready event, so that several events become one answer. Throws LOBBY_NOT_FOUND after a deletion. */
async function newestOf(stream: LobbyStream): Promise<Lobby | undefined> {
  let message = await stream.next()
  while (message !== undefined && stream.hasMore) message = (await stream.next()) ?? message
  return message?.event === 'lobby_deleted' ? noSuchLobby(stream.lobbyId) : message?.lobby
}

async function differing(ctx: Ports, input: PollLobbyInput) {
  const lobby = await requireLobby(ctx, input.projectId, input.lobbyId)
  return lobby.version === input.afterVersion ? undefined : asSeenBy(lobby, input)
}
