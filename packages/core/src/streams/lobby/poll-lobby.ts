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
  /** Whether the wait was ended. */
  readonly aborted: boolean
  /** Registers a function that is called when the wait is ended. */
  addEventListener(type: 'abort', listener: () => void): void
  /** Removes a registered function. */
  removeEventListener(type: 'abort', listener: () => void): void
}

export interface PollLobbyInput extends OnLobbyByBackend {
  /** Version of the lobby that the caller already has. */
  readonly afterVersion: number
  /** Seconds to wait: a whole number from 0 to 25. */
  readonly waitSeconds: number
  /** API key of the caller; the wait ends when the key is revoked. */
  readonly keyId?: string | undefined
  /**
   * Account that owns the key. All projects of one account together may use only a part of this node's places (each place is one stream or
   * waiting call).
   */
  readonly accountId?: string | undefined
  /** Ends the wait early, for instance when the caller disconnects. */
  readonly signal?: CancelSignal | undefined
  /** Time at which the caller's key or token expires. The call then returns, with the result that it would give after its full wait. */
  readonly until?: Instant | undefined
  /**
   * Address of the caller; absent when addresses do not distinguish callers. All callers of one address together may use only a part of the
   * places of their key.
   */
  readonly address?: string | undefined
}

/**
 * Returns the lobby as soon as its version differs from the version that the caller has. Returns undefined when the lobby has not changed
 * during the wait. Like a stream, a waiting call takes a place and counts as a heartbeat. Throws LOBBY_NOT_FOUND, also when the lobby is
 * deleted, UNAVAILABLE, VALIDATION_FAILED. Throws INVALID_PLAYER_TOKEN for a call after `until`.
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
    // A read with a server key does not count as activity of a lobby (docs/http-api.md §6). A caller that is not a member may read too, but
    // such a read is no heartbeat.
    const member = input.backend ? undefined : memberOf(lobby, input.playerId)
    const { keyId } = input
    const place = feeds.room.places.take(holderOf(input, seatsOf(lobbyId, member?.playerId)))
    const reader = {
      projectId,
      playerId: member?.playerId ?? '',
      backend: member === undefined,
      keyId,
      forAnswer: true,
    }
    const stream = feeds.open(lobby, reader, lobby.version, place)
    const end = () => stream.close()
    const leftMs = (input.until ?? Number.POSITIVE_INFINITY) - ctx.clock.now()
    const cancelTimer = ctx.timers.after(Math.max(0, Math.min(waitSeconds * SECOND_MS, leftMs)), end)
    signal?.addEventListener('abort', end)
    try {
      if (member !== undefined) await keepPresent(ctx, stream, lobby)
      await feeds.catchUp(stream)
      const newest = await newestOf(stream)
      // The log is shorter than before, or events were deleted before they were read. The current lobby is compared instead.
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
 * Returns the bound for waiting calls. A member may have a few waiting calls; beyond their bound, the oldest call ends. All callers that
 * are not members share one bound per lobby, so that inventing player ids gives no more places.
 */
const seatsOf = (lobbyId: string, member: string | undefined): Seats =>
  member === undefined
    ? { name: `stranger's wait ${lobbyId}`, most: SEATS.strangersWaitsPerLobby, past: 'refused' }
    : { name: `wait ${lobbyId} ${member}`, most: SEATS.waitsPerPlayer, past: 'oldest ends' }

/**
 * Returns the lobby after the last event that is ready, so that several events give one answer. Throws LOBBY_NOT_FOUND after a deletion.
 */
async function newestOf(stream: LobbyStream): Promise<Lobby | undefined> {
  let message = await stream.next()
  while (message !== undefined && stream.hasMore) message = (await stream.next()) ?? message
  return message?.event === 'lobby_deleted' ? noSuchLobby(stream.lobbyId) : message?.lobby
}

async function differing(ctx: Ports, input: PollLobbyInput) {
  const lobby = await requireLobby(ctx, input.projectId, input.lobbyId)
  return lobby.version === input.afterVersion ? undefined : asSeenBy(lobby, input)
}
