import type { Lobby as LobbyData } from './api/types'
import { callsOf } from './calls/calls'
import { identityOf } from './calls/identity'
import type { Session } from './client-session'
import { type FollowedLobby, followedLobby } from './lobby/followed-lobby'
import { type Lobbies, lobbiesOf } from './lobby/lobbies'
import type { Lobby } from './lobby/lobby'
import type { ClientOptions, ClientStorage } from './options'
import { systemPlatform } from './platform'
import { type Plays, playsOf } from './play'
import { type Ratings, ratingsOf } from './ratings'
import { type Measures, measuresOf } from './regions/measure-regions'
import { RETRY_FOR_MS } from './times'

/** Client of one player, created by `createClient`. */
export interface MatchyardClient extends Plays, Measures {
  /** Creates, joins and finds lobbies. */
  readonly lobbies: Lobbies
  /** Reads ratings of players, and leaderboards. */
  readonly ratings: Ratings
  /** Returns the player's id: the given id, or the id in the token. */
  playerId(): Promise<string>
  /** Closes every connection, for an app that goes into the background. In a web page this happens automatically. */
  pause(): void
  /** Follows every lobby again after `pause`, from its last known version. */
  unpause(): void
  /** Stops following all lobbies, without leaving them. */
  close(): void
}

/** Returns a client of one player. The client sends no request before its first use. */
export function createClient(options: ClientOptions): MatchyardClient {
  const { baseUrl, clientKey, player, storage, transport, retryForMs = RETRY_FOR_MS } = options
  const platform = { ...systemPlatform, ...options.platform }
  const open = new Map<string, FollowedLobby>()
  const logged = new Set<string>()
  let stopWatching: (() => void) | undefined

  const log = (sentence: string): void => {
    if (logged.has(sentence)) return
    logged.add(sentence)
    ;(options.log ?? console.warn)(`matchyard: ${sentence}`)
  }
  const tell = (is: 'pause' | 'resume' | 'wake') => (): void => {
    for (const lobby of open.values()) lobby.page(is)
  }
  const page = { pause: tell('pause'), resume: tell('resume'), wake: tell('wake') }

  const identity = identityOf(player, platform.now)
  const playerId = async (): Promise<string> => options.playerId ?? identity.playerId()
  const key = async (): Promise<string> => `matchyard:${clientKey.slice(-8)}:${await playerId()}`

  /**
   * Uses the storage and ignores the storage's errors. If the storage is full or forbidden, the client only forgets
   * which lobby to resume.
   */
  const remember = async (work: (storage: ClientStorage, key: string) => unknown): Promise<void> => {
    try {
      if (storage !== undefined) await work(storage, await key())
    } catch (error) {
      log(`the lobby is not remembered: ${error}`)
    }
  }

  const session: Session = {
    calls: callsOf({
      baseUrl: baseUrl.replace(/\/+$/, ''),
      headers: { 'api-key': clientKey },
      identity,
      platform,
      retryForMs,
      log,
    }),
    identity,
    platform,
    transport: transport ?? (readsStreams() ? 'stream' : 'polling'),
    log,
    closed({ id, closed }) {
      open.delete(id)
      if (open.size === 0) stopWatching?.()
      // A lobby that was closed without leaving can be resumed later.
      if (closed === 'closed') return
      void remember(async (storage, key) => {
        if ((await storage.getItem(key)) === id) await storage.removeItem(key)
      })
    },
  }

  /** Returns the one handle of a lobby; repeated calls return the same handle. */
  const follow = async (data: LobbyData): Promise<Lobby> => {
    const me = await playerId()
    const known = open.get(data.lobby_id)
    if (known !== undefined) return known
    const lobby = followedLobby(session, data, me)
    if (open.size === 0) stopWatching = platform.watchPage?.(page)
    open.set(lobby.id, lobby)
    await remember((storage, key) => storage.setItem(key, lobby.id))
    return lobby
  }

  const { measureRegions, recentLatencies } = measuresOf(session.calls, platform)
  const lobbies = lobbiesOf(session.calls, follow, async () => storage?.getItem(await key()))

  return {
    lobbies,
    ratings: ratingsOf(session.calls, playerId),
    ...playsOf(session.calls, lobbies, open, follow, recentLatencies),
    measureRegions,
    playerId,
    pause: page.pause,
    unpause: page.resume,
    close() {
      for (const lobby of [...open.values()]) lobby.close()
    },
  }
}

/**
 * Whether the runtime can read streams. React Native's `fetch` returns an answer only when the answer is complete, and
 * a stream is never complete.
 */
function readsStreams(): boolean {
  const { navigator } = globalThis as { readonly navigator?: { readonly product?: string } }
  return navigator?.product !== 'ReactNative'
}
