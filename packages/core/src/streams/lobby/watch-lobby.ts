import { MAX_LOBBY_BYTES } from '../../catalog/limits'
import { orThrow, ServiceError } from '../../errors/service-error'
import { memberOnly } from '../../lobby/decide'
import type { Lobby } from '../../lobby/lobby'
import { memberOf } from '../../lobby/members'
import type { OnLobby } from '../../lobby/on-lobby'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import { STREAM_RETENTION } from '../../ports/storage/index'
import { invalidToken } from '../../project/player-token'
import { queueKey } from '../../queue/queue'
import { noSuchLobby } from '../../reads/require'
import type { Instant } from '../../shared/time'
import type { PlaceHolder, Seats, StreamPlace } from '../places'
import { SEATS } from '../stream-limits'
import type { LobbyFeeds } from './lobby-feeds'
import type { LobbyStream, StreamReader } from './lobby-stream'

export interface WatchLobbyInput extends OnLobby {
  /** Whether the caller may watch any lobby of the project. */
  readonly backend: boolean
  /** The key that watches; the stream ends when it is revoked. */
  readonly keyId?: string | undefined
  /** The account that owns the key: all of its projects leave places to others. */
  readonly accountId?: string | undefined
  /** The `Last-Event-ID` header as it came. */
  readonly lastEventId?: string | undefined
  /** Whether a backend that resumes nothing is told every event that is kept, from the creation on, instead of the lobby as it is. */
  readonly fromOldest?: boolean | undefined
  /** When the right to watch runs out: the stream ends then, and is resumed with a new one. */
  readonly until?: Instant | undefined
  /** Where the caller is, if that tells callers apart: one address leaves places of its key to others. */
  readonly address?: string | undefined
  /** Waited for once the stream has its place, before anything is read for it. */
  readonly turn?: (() => Promise<void>) | undefined
}

/**
 * A lobby's stream (docs/http-api.md §7): a snapshot or a replay first, then every change. Counts as the player's heartbeat while it is open.
 * Throws INVALID_PLAYER_TOKEN where `until` is over, LOBBY_NOT_FOUND, PLAYER_NOT_IN_LOBBY, UNAVAILABLE.
 */
export async function watchLobby(ctx: Service, feeds: LobbyFeeds, input: WatchLobbyInput): Promise<LobbyStream> {
  requireTimeLeft(ctx, input.until)
  // A member's client has a few streams of its lobby; the newest count, for the others were left behind.
  const name = `stream ${input.lobbyId} ${input.playerId}`
  const holder = holderOf(input, { name, most: SEATS.streamsPerPlayer, past: 'oldest ends' })
  return feeds.room.open(holder, input.turn, (place) => openIn(ctx, feeds, input, place))
}

/** A lobby's caller. Clients have few seats, and an address; a backend has neither. */
export function holderOf(
  {
    projectId,
    backend,
    keyId,
    accountId,
    address,
  }: Pick<WatchLobbyInput, 'projectId' | 'backend' | 'keyId' | 'accountId' | 'address'>,
  seats: Seats,
): PlaceHolder {
  const caller = { projectId, keyId, accountId, isBackend: backend }
  return backend ? caller : { ...caller, address, seats }
}

const readerOf = ({ projectId, playerId, backend, keyId }: WatchLobbyInput): StreamReader => ({
  projectId,
  playerId,
  backend,
  keyId,
})

async function openIn(
  ctx: Service,
  feeds: LobbyFeeds,
  input: WatchLobbyInput,
  place: StreamPlace,
): Promise<LobbyStream> {
  const lobby = await ctx.storage.get('lobby', input.lobbyId)
  if (lobby === undefined) return afterDeletion(ctx, feeds, input, place)
  if (lobby.projectId !== input.projectId) return noSuchLobby(input.lobbyId)
  const member = memberOf(lobby, input.playerId)
  if (!input.backend) orThrow(memberOnly(lobby, input.playerId))
  const from = await replayFrom(ctx, input, lobby)
  const stream = feeds.open(lobby, readerOf(input), from, place)
  stream.closeAt(input.until, ctx)
  if (member !== undefined) await keepPresent(ctx, stream, lobby)
  await feeds.catchUp(stream)
  requireTimeLeft(ctx, input.until)
  return stream
}

/** The version after which a resume goes on; undefined where the lobby is shown as it is. */
async function replayFrom(ctx: Ports, input: WatchLobbyInput, lobby: Lobby): Promise<number | undefined> {
  const from = resumePoint(input.lastEventId)
  if (from === undefined) return input.fromOldest === true && input.backend ? oldestOf(ctx, lobby) : undefined
  return (await canReplay(ctx, lobby, from)) ? from : undefined
}

/** Returns the version before the oldest event that is kept. For backends alone: a member's stream ends at an event without that member. */
async function oldestOf(ctx: Ports, lobby: Lobby): Promise<number | undefined> {
  const kept = await ctx.storage.events.range(lobby.id)
  return kept === undefined ? undefined : kept.oldest - 1
}

async function canReplay(ctx: Ports, lobby: Lobby, from: number): Promise<boolean> {
  if (from === lobby.version) return true
  if (from > lobby.version) return false
  const kept = await ctx.storage.events.range(lobby.id)
  return kept !== undefined && kept.oldest <= from + 1
}

/** The version named by a `Last-Event-ID`; empty, 0 and garbage are a fresh start. */
function resumePoint(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined || !/^[0-9]{1,15}$/.test(lastEventId)) return undefined
  const version = Number(lastEventId)
  return version === 0 ? undefined : version
}

/** For an hour after a deletion a member's resume replays up to `lobby_deleted`; everyone else finds nothing. */
async function afterDeletion(
  ctx: Ports,
  feeds: LobbyFeeds,
  input: WatchLobbyInput,
  place: StreamPlace,
): Promise<LobbyStream> {
  const from = resumePoint(input.lastEventId)
  const kept = from === undefined ? undefined : await ctx.storage.events.range(input.lobbyId)
  if (from === undefined || kept === undefined) return noSuchLobby(input.lobbyId)
  const lastTwo = await ctx.storage.events.read(input.lobbyId, kept.newest - 2, 2, 3 * MAX_LOBBY_BYTES)
  const last = lastTwo.at(-1)
  // A member until the end: in the last state, or in the one before when the last player's departure was the end. Players removed earlier may
  // not read what followed, as during the lobby's life.
  const wasMember = lastTwo.some(({ lobby }) => memberOf(lobby, input.playerId) !== undefined)
  const allowed = last?.lobby.projectId === input.projectId && (input.backend || wasMember)
  if (last === undefined || !allowed || last.at + STREAM_RETENTION.ms <= ctx.clock.now())
    return noSuchLobby(input.lobbyId)
  const replayable = from <= last.version && kept.oldest <= from + 1
  // A resume that cannot be replayed has nothing to be shown: the lobby is gone.
  const after = replayable ? from : last.version - 1
  return feeds.openEnded(input.lobbyId, { ...readerOf(input), backend: true }, after, last.version, place)
}

/**
 * A token is good for calls a little longer than for streams. One that is opened in between would end as it begins, and be opened again
 * and again; worse, an end at the beginning is what follows a deletion. Throws INVALID_PLAYER_TOKEN.
 */
export function requireTimeLeft(ctx: Ports, until: Instant | undefined): void {
  if (until === undefined || until > ctx.clock.now()) return
  throw ServiceError.of(invalidToken({ fault: 'it has expired; streams and waits need one that has not' }).rejected)
}

/** The stream is its player's heartbeat for as long as there is something to see. */
export async function keepPresent(ctx: Service, stream: LobbyStream, lobby: Lobby): Promise<void> {
  const { playerId } = stream.reader
  const key = queueKey(lobby.projectId, lobby.queueId)
  const ended = ctx.node.presence.streamOpened(lobby.id, playerId, key, ctx.clock.now())
  // A stream that is let go had its reader until now. One that is over because the reader, or the lobby, is gone tells nothing more.
  stream.onOver(() => ended(stream.isEnded ? ctx.clock.now() : undefined))
  await ctx.node.presence.touchMember(lobby, playerId, ctx.clock.now())
}
