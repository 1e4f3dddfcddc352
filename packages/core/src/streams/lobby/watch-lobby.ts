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
import { noSuchLobby } from '../../reads/require'
import type { Instant } from '../../shared/time'
import type { PlaceHolder, Seats, StreamPlace } from '../places'
import { SEATS } from '../stream-limits'
import type { LobbyFeeds } from './lobby-feeds'
import type { LobbyStream, StreamReader } from './lobby-stream'

export interface WatchLobbyInput extends OnLobby {
  /** Whether the caller is a backend, which may watch any lobby of the project. */
  readonly backend: boolean
  /** API key of the caller; the stream ends when the key is revoked. */
  readonly keyId?: string | undefined
  /**
   * Account that owns the key. All projects of one account together may use only a part of this node's places (each place is one stream or
   * waiting call).
   */
  readonly accountId?: string | undefined
  /** Text of the `Last-Event-ID` header. */
  readonly lastEventId?: string | undefined
  /** Whether a backend without `lastEventId` gets all events that the log still has. Otherwise the stream begins with the current lobby. */
  readonly fromOldest?: boolean | undefined
  /** Time at which the caller's key or token expires. The stream then ends; the caller can resume it with a new key or token. */
  readonly until?: Instant | undefined
  /**
   * Address of the caller; absent when addresses do not distinguish callers. All callers of one address together may use only a part of the
   * places of their key.
   */
  readonly address?: string | undefined
  /** Awaited after the stream has taken its place, before anything is read for the stream. */
  readonly turn?: (() => Promise<void>) | undefined
}

/**
 * Opens the stream of a lobby (docs/http-api.md §7): first a snapshot or the missed events, then every change. An open stream counts as the
 * player's heartbeat. Throws INVALID_PLAYER_TOKEN when `until` has passed, LOBBY_NOT_FOUND, PLAYER_NOT_IN_LOBBY, UNAVAILABLE.
 */
export async function watchLobby(ctx: Service, feeds: LobbyFeeds, input: WatchLobbyInput): Promise<LobbyStream> {
  requireTimeLeft(ctx, input.until)
  // A member may have a few streams of one lobby. The newest streams stay, because the client has probably given up its older connections.
  const name = `stream ${input.lobbyId} ${input.playerId}`
  const holder = holderOf(input, { name, most: SEATS.streamsPerPlayer, past: 'oldest ends' })
  return feeds.room.open(holder, input.turn, (place) => openIn(ctx, feeds, input, place))
}

/**
 * Returns the properties of the caller that bound the number of its streams. Only a player's client has an address, and a bound for its
 * streams of one lobby.
 */
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

/** Returns the version after which the stream continues; undefined when the stream starts with the current lobby. */
async function replayFrom(ctx: Ports, input: WatchLobbyInput, lobby: Lobby): Promise<number | undefined> {
  const from = resumePoint(input.lastEventId)
  if (from === undefined) return input.fromOldest === true && input.backend ? oldestOf(ctx, lobby) : undefined
  return (await canReplay(ctx, lobby, from)) ? from : undefined
}

/**
 * Returns the version before the oldest event in the log. Only backends may start there. A member's stream ends at the first event without
 * the member, and the log may have such events from before the member joined.
 */
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

/** Returns the version in a `Last-Event-ID`; undefined for an empty text, 0 and invalid text. */
function resumePoint(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined || !/^[0-9]{1,15}$/.test(lastEventId)) return undefined
  const version = Number(lastEventId)
  return version === 0 ? undefined : version
}

/**
 * Opens a stream of a deleted lobby. For an hour (`STREAM_RETENTION`) after the deletion, a backend or a member can resume up to the event
 * `lobby_deleted`. Other calls throw LOBBY_NOT_FOUND.
 */
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
  // Only players who were members at the end may resume: members in the last state, or in the state before it when the departure of the
  // last player ended the lobby. As in a live lobby, players who were removed earlier may not read later events.
  const wasMember = lastTwo.some(({ lobby }) => memberOf(lobby, input.playerId) !== undefined)
  const allowed = last?.lobby.projectId === input.projectId && (input.backend || wasMember)
  if (last === undefined || !allowed || last.at + STREAM_RETENTION.ms <= ctx.clock.now())
    return noSuchLobby(input.lobbyId)
  const replayable = from <= last.version && kept.oldest <= from + 1
  // When the log no longer has the missed events, the stream delivers only the last event, because a deleted lobby has no current state.
  const after = replayable ? from : last.version - 1
  return feeds.openEnded(input.lobbyId, { ...readerOf(input), backend: true }, after, last.version, place)
}

/**
 * Throws INVALID_PLAYER_TOKEN when a token expires too soon for a stream. Other calls accept a token for slightly longer than streams do. A
 * stream that is opened in that time would end at once. Its client would then open it again and again, or take the end for the deletion of
 * the lobby.
 */
export function requireTimeLeft(ctx: Ports, until: Instant | undefined): void {
  if (until === undefined || until > ctx.clock.now()) return
  throw ServiceError.of(
    invalidToken({ fault: 'it has expired; an event stream or a waiting request needs a valid token' }).rejected,
  )
}

/** Counts the stream as a heartbeat of its player until the player gets no more changes. */
export async function keepPresent(ctx: Service, stream: LobbyStream, lobby: Lobby): Promise<void> {
  const { playerId, backend } = stream.reader
  const ended = ctx.node.presence.streamOpened(lobby, playerId, ctx.clock.now(), backend ? 'backend' : 'client')
  // When the stream was closed, its reader was present until that moment. When the player was removed or the lobby was deleted, no presence
  // is recorded.
  stream.onOver(() => ended(stream.isEnded ? ctx.clock.now() : undefined))
  await ctx.node.presence.touchMember(lobby, playerId, ctx.clock.now())
}
