import type { Lobby as LobbyData } from './api/types'
import { Calls } from './calls/calls'
import { Identity } from './calls/identity'
import type { Session } from './client-session'
import { type CreateLobby, Lobbies } from './lobby/lobbies'
import { Lobby } from './lobby/lobby'
import type { FindMatchOptions } from './match/find-match'
import type { Match } from './match/match'
import type { ClientOptions } from './options'
import { type PageEvents, type Platform, systemPlatform } from './platform'

const RETRY_FOR_MS = 60_000

/** A player's way into the service. Made by `createClient`. */
export interface MatchyardClient {
  /** Makes, joins, finds lobbies. */
  readonly lobbies: Lobbies
  /**
   * One call from nothing to a match: a private lobby of the player alone in the queue, and the search. Where that comes to nothing it
   * leaves the lobby, and rejects as `lobbies.create` and `lobby.findMatch` do.
   */
  play(queueId: string, lobby?: Omit<CreateLobby, 'queueId'>, options?: FindMatchOptions): Promise<Match<Lobby>>
  /** The player's id; as its token says, where there is one. */
  playerId(): Promise<string>
  /** Lets go of every connection, where an app is put into the background; a page does so by itself. */
  pause(): void
  /** Follows every lobby again, from where it was. */
  resume(): void
  /** Follows no lobby any more, without leaving any. */
  close(): void
}

/** A player's way into the service. Nothing is called until something is asked for. */
export function createClient(options: ClientOptions): MatchyardClient {
  const client = new Client(options)
  return client
}

class Client implements MatchyardClient {
  readonly lobbies: Lobbies
  private readonly platform: Platform
  private readonly identity: Identity
  private readonly session: Session
  private readonly open = new Map<string, Lobby>()
  private readonly log: (sentence: string) => void
  private readonly logged = new Set<string>()
  private stopWatching = () => {}

  constructor(private readonly options: ClientOptions) {
    const { baseUrl, clientKey, player, transport, retryForMs = RETRY_FOR_MS } = options
    this.log = (sentence) => {
      if (this.logged.has(sentence)) return
      this.logged.add(sentence)
      ;(options.log ?? console.warn)(`matchyard: ${sentence}`)
    }
    this.platform = { ...systemPlatform, ...options.platform }
    this.identity = new Identity(player, this.platform.now)
    const calls = new Calls({
      baseUrl: baseUrl.replace(/\/+$/, ''),
      headers: { 'api-key': clientKey },
      identity: this.identity,
      platform: this.platform,
      retryForMs,
      log: this.log,
    })
    this.session = {
      calls,
      identity: this.identity,
      platform: this.platform,
      transport: transport ?? (readsStreams() ? 'stream' : 'polling'),
      says: (connection, by) => {
        if (by === 'polling' && connection === 'live' && this.session.transport === 'stream') {
          this.log('event streams do not come through; lobbies are followed by polling')
        }
      },
      closed: (lobby) => this.forget(lobby),
    }
    this.lobbies = new Lobbies(
      calls,
      (lobby) => this.follow(lobby),
      async () => options.storage?.getItem(await this.key()),
    )
  }

  async play(
    queueId: string,
    lobby: Omit<CreateLobby, 'queueId'> = {},
    options: FindMatchOptions = {},
  ): Promise<Match<Lobby>> {
    options.signal?.throwIfAborted()
    const mine = await this.lobbies.create({ isPrivate: true, ...lobby, queueId })
    try {
      return await mine.findMatch(options)
    } catch (error) {
      // Nobody waits for its outcome: a lobby without its player ends by itself.
      void mine.leave().catch(() => mine.close())
      throw error
    }
  }

  async playerId(): Promise<string> {
    return this.options.playerId ?? (await this.identity.playerId())
  }

  pause(): void {
    this.tell('pause')
  }

  resume(): void {
    this.tell('resume')
  }

  close(): void {
    for (const lobby of [...this.open.values()]) lobby.close()
  }

  /** One handle for a lobby, however often it is asked for. */
  private async follow(data: LobbyData): Promise<Lobby> {
    const me = await this.playerId()
    const known = this.open.get(data.lobby_id)
    if (known !== undefined) return known
    const lobby = new Lobby(this.session, data, me)
    if (this.open.size === 0) this.stopWatching = this.watchPage()
    this.open.set(lobby.id, lobby)
    await this.remember(async (storage) => storage.setItem(await this.key(), lobby.id))
    return lobby
  }

  private forget(lobby: { readonly id: string; readonly closed: string | undefined }): void {
    this.open.delete(lobby.id)
    if (this.open.size === 0) this.stopWatching()
    // Closed without leaving: it is to be found again.
    if (lobby.closed === 'closed') return
    void this.remember(async (storage) => {
      const key = await this.key()
      if ((await storage.getItem(key)) === lobby.id) await storage.removeItem(key)
    })
  }

  /** A storage that is full or forbidden costs the memory, not the lobby. */
  private async remember(work: (storage: NonNullable<ClientOptions['storage']>) => unknown): Promise<void> {
    const { storage } = this.options
    try {
      if (storage !== undefined) await work(storage)
    } catch (error) {
      this.log(`the lobby is not remembered: ${String(error)}`)
    }
  }

  private async key(): Promise<string> {
    return `matchyard:${this.options.clientKey.slice(-8)}:${await this.playerId()}`
  }

  private watchPage(): () => void {
    const page: PageEvents = {
      pause: () => this.tell('pause'),
      resume: () => this.tell('resume'),
      wake: () => this.tell('wake'),
    }
    return this.platform.watchPage?.(page) ?? (() => {})
  }

  private tell(what: 'pause' | 'resume' | 'wake'): void {
    for (const lobby of this.open.values()) lobby.page(what)
  }
}

/** React Native's fetch hands out an answer when all of it is here, which a stream's never is. */
function readsStreams(): boolean {
  const { navigator } = globalThis as { readonly navigator?: { readonly product?: string } }
  return navigator?.product !== 'ReactNative'
}
