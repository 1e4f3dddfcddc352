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
  /** The version that the caller knows. */
  readonly afterVersion: number
  /** Whole seconds, 0 to 25. */
  readonly waitSeconds: number
  /** The key that waits; the wait ends when it is revoked. */
  readonly keyId?: string | undefined
  /** The account that owns the key: all of its projects leave places to others. */
  readonly accountId?: string | undefined
  /** Ends the wait, as when the caller has gone away. */
  readonly signal?: CancelSignal | undefined
  /** When the right to wait runs out: the wait ends then, as if its time were over. */
  readonly until?: Instant | undefined
  /** Where the caller is, if that tells callers apart: one address leaves places of its key to others. */
  readonly address?: string | undefined
}

/**
 * The lobby as soon as its version is another one than the caller knows; undefined where it still is the same after the wait. A wait
 * takes a stream's place, and is a heartbeat as one is. Throws LOBBY_NOT_FOUND, also on a deletion, UNAVAILABLE, VALIDATION_FAILED, and
 * INVALID_PLAYER_TOKEN for a wait after `until`.
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
    // Reads with a server key do not count as activity of a lobby (docs/http-api.md §6). A caller who is no member may read on as well.
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
      // The log went back, or was pruned before it was read: the present lobby counts.
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
 * Returns the places for waits. A member has a few, the newest of them stay; callers who are no members share the places that a lobby has for
 * them, under any player id.
 */
const seatsOf = (lobbyId: string, member: string | undefined): Seats =>
  member === undefined
    ? { name: `stranger's wait ${lobbyId}`, most: SEATS.strangersWaitsPerLobby, past: 'refused' }
    : { name: `wait ${lobbyId} ${member}`, most: SEATS.waitsPerPlayer, past: 'oldest ends' }

/** The lobby after the last of the events that are at hand, so that a burst of them is one answer. */
async function newestOf(stream: LobbyStream): Promise<Lobby | undefined> {
  let message = await stream.next()
  while (message !== undefined && stream.hasMore) message = (await stream.next()) ?? message
  return message?.event === 'lobby_deleted' ? noSuchLobby(stream.lobbyId) : message?.lobby
}

async function differing(ctx: Ports, input: PollLobbyInput) {
  const lobby = await requireLobby(ctx, input.projectId, input.lobbyId)
  return lobby.version === input.afterVersion ? undefined : asSeenBy(lobby, input)
}
