import {
  createClient,
  type JsonObject,
  type Lobby,
  type LobbySnapshot,
  MatchmakingEnded,
  type MatchProposal,
  type MatchyardClient,
} from '@matchyard/client'
import { signal } from '@preact/signals'
import { network } from '../../data/network'
import type { Store } from '../../data/store'
import { failed, sentenceOf } from '../../ui'
import { playersFetch } from './chaos'

/**
 * Number of test players that have an event stream each. All other test players share the project's feed
 * (`sharedStream`).
 */
const OWN_STREAMS = 3

export interface Said {
  readonly key: number
  readonly at: string
  readonly sentence: string
  readonly isBad: boolean
}

/** A test player: a game client in this page, and the log of its events. */
export class Tester {
  readonly lobby = signal<LobbySnapshot | undefined>(undefined)
  readonly isSearching = signal(false)
  readonly proposal = signal<MatchProposal | undefined>(undefined)
  readonly said = signal<readonly Said[]>([])
  /** Whether the player accepts every proposal automatically. */
  acceptsAll = false
  private readonly client: MatchyardClient
  private handle: Lobby | undefined
  private search: AbortController | undefined
  private count = 0

  constructor(
    readonly id: string,
    position: number,
    private readonly options: {
      readonly key: string
      readonly store: Store
      /** Called with the id of each match that the player is in. */
      readonly onMatch: (matchId: string) => void
    },
  ) {
    const { key, store } = options
    this.client = createClient({
      baseUrl: network().baseUrl || location.origin,
      clientKey: key,
      player: id,
      platform: { fetch: playersFetch(store, position < OWN_STREAMS) },
      retryForMs: 20_000,
      log: (sentence) => this.say(sentence),
    })
  }

  async create(queueId: string, state: JsonObject): Promise<void> {
    this.follow(await this.client.lobbies.create({ queueId, state }))
    this.say('created a lobby')
  }

  async join(code: string, state: JsonObject): Promise<void> {
    this.follow(await this.client.lobbies.join({ code, state }))
    this.say(`joined with the invite code ${code}`)
  }

  /** Starts a search for a match. The log shows the result. */
  find(): void {
    const { handle } = this
    if (handle === undefined) return
    this.search = new AbortController()
    this.isSearching.value = true
    handle
      .findMatch({ signal: this.search.signal, onProposal: (proposal) => this.ask(proposal) })
      .then((match) => this.say(`plays in the team ${match.me.team}`))
      .catch((error: unknown) => {
        if (!this.search?.signal.aborted)
          this.say(error instanceof MatchmakingEnded ? error.detail : sentenceOf(error), true)
      })
      .finally(() => {
        this.isSearching.value = false
        this.proposal.value = undefined
      })
  }

  cancel(): void {
    this.search?.abort()
    this.say('cancelled the search')
  }

  async answer(yes: boolean): Promise<void> {
    const { value } = this.proposal
    this.proposal.value = undefined
    await (yes ? value?.accept() : value?.decline())
    this.say(yes ? 'accepted the match' : 'declined the match')
  }

  async setState(state: JsonObject): Promise<void> {
    await this.handle?.setState(state)
  }

  async leave(): Promise<void> {
    this.search?.abort()
    await this.handle?.leave()
  }

  /** Leaves the lobby and closes the client; errors are ignored. */
  put(): void {
    this.handle?.leave().catch(() => {})
    this.client.close()
  }

  private ask(proposal: MatchProposal): void {
    if (this.acceptsAll) proposal.accept().catch(failed)
    else this.proposal.value = proposal
    this.say(`is asked to accept a match of ${proposal.needed} players`)
  }

  private follow(handle: Lobby): void {
    this.handle = handle
    this.lobby.value = handle.current
    handle.on('change', (now, before) => {
      this.lobby.value = now
      if (now.match_id !== null) this.options.onMatch(now.match_id)
      if (before === undefined || before.status === now.status) return
      const why = now.status === 'waiting' && now.last_exit !== null ? `: ${now.last_exit.detail}` : ''
      this.say(`${WORDS[now.status]}${why}`)
    })
    handle.on('connection', (now) => {
      if (now === 'lost') this.say('lost the connection; the client reconnects automatically')
    })
    handle.on('closed', (reason) => {
      this.handle = undefined
      this.lobby.value = undefined
      this.isSearching.value = false
      this.say(`left the lobby: ${reason}`)
    })
  }

  private say(sentence: string, isBad = false): void {
    const one = { key: this.count++, at: new Date().toISOString(), sentence, isBad }
    this.said.value = [...this.said.value.slice(-99), one]
  }
}

const WORDS: Readonly<Record<LobbySnapshot['status'], string>> = {
  waiting: 'is waiting in the lobby',
  in_queue: 'is searching',
  matched: 'is matched',
  starting: 'is waiting for the server',
  in_game: 'is in the game',
}
