import {
  isMatchyardError,
  type Lobby,
  type Match,
  MatchmakingEnded,
  type MatchProposal,
  type MatchyardClient,
} from '@matchyard/client'
import { byId, toast } from './dom'
import { AttractScene } from './play/attract-scene'
import { Controls } from './play/input'
import { Painter } from './play/painter'
import { playMatch } from './play/play'
import { Sounds } from './play/sound'
import { elsewhereScreen, homeScreen, lobbyScreen, nameOf, readyScreen, resultsScreen } from './screens/screens'
import { keep, type Who } from './who'

const SEATS = 8

/** Sentences for a player whose match has ended, by the reason of the exit. */
const EXITS: Readonly<Record<string, string>> = {
  timeout: 'Nobody came. Try again in a moment.',
  declined: 'Somebody was not in the mood.',
  not_answered: 'Somebody did not answer in time.',
  launch_failed: 'The game server did not start.',
  no_room: 'All game servers are busy. Try again in a moment.',
  server_failed: 'The game server has failed.',
}

/** The page, from screen to screen: home, lobby, ready check, match, result. */
export class App {
  private readonly stage: { readonly painter: Painter; readonly controls: Controls; readonly sounds: Sounds }
  private lobby: Lobby | undefined
  private searchingSince: number | undefined
  private abort = new AbortController()
  /** Number of the shown lobby; messages of earlier lobbies are ignored. */
  private turn = 0
  private stops: (() => void)[] = []
  private screen: 'lobby' | 'other' = 'other'

  constructor(
    private readonly client: MatchyardClient,
    private readonly queueId: string,
    private readonly who: Who,
  ) {
    const canvas = byId('arena') as HTMLCanvasElement
    this.stage = { painter: new Painter(canvas), controls: new Controls(canvas), sounds: new Sounds() }
    addEventListener('hashchange', () => {
      if (this.lobby === undefined) this.home()
    })
  }

  /** Shows the lobby of this window before a reload, else the home screen. */
  async begin(): Promise<void> {
    this.rest()
    const lobby = await this.client.lobbies.resume().catch(() => undefined)
    if (lobby === undefined) return this.home()
    this.enter(lobby)
    if (lobby.current.status === 'in_queue' || !lobby.isHost || lobby.current.status !== 'waiting') void this.search()
  }

  /** Shows a game that plays by itself behind the menu. */
  private rest(): void {
    const { painter } = this.stage
    if (painter.isCalm) painter.rest()
    else painter.look(new AttractScene())
  }

  home(): void {
    this.screen = 'other'
    const code = decodeURIComponent(location.hash.slice(1))
    homeScreen({
      name: this.who.name,
      invited: code === '' ? undefined : code,
      rename: (name) => {
        if (name !== '') this.who.name = name
        keep(this.who)
      },
      play: () =>
        this.go(
          async () => this.enter(await this.create()),
          () => this.search(),
        ),
      gather: () => this.go(async () => this.enter(await this.create())),
      join: (code) =>
        this.go(
          async () => this.enter(await this.client.lobbies.join({ code, state: this.state })),
          () => this.search(),
        ),
    })
  }

  private get state() {
    return { name: this.who.name }
  }

  private create(): Promise<Lobby> {
    return this.client.lobbies.create({ queueId: this.queueId, isPrivate: true, state: this.state })
  }

  /** Runs the steps of a button. When a step fails, the page shows the error and stays on its screen. */
  private async go(...steps: readonly (() => unknown)[]): Promise<void> {
    try {
      for (const step of steps) await step()
    } catch (error) {
      if (isMatchyardError(error, 'INVALID_INVITE_CODE')) location.hash = ''
      toast(isMatchyardError(error) ? error.detail : String(error))
    }
  }

  private enter(lobby: Lobby): void {
    this.leaveBehind()
    this.lobby = lobby
    const { turn } = this
    this.stops = [
      lobby.on('change', () => this.draw()),
      lobby.on('closed', (reason) => {
        if (this.turn !== turn) return
        this.leaveBehind()
        if (reason !== 'left') toast(reason === 'removed' ? 'You were away for too long.' : 'The lobby is gone.')
        this.rest()
        this.home()
      }),
    ]
    history.replaceState(null, '', lobby.inviteCode === null ? '#' : `#${lobby.inviteCode}`)
    this.screen = 'lobby'
    this.draw()
  }

  private leaveBehind(): void {
    this.turn += 1
    this.abort.abort()
    for (const stop of this.stops.splice(0)) stop()
    this.lobby = undefined
    this.searchingSince = undefined
    history.replaceState(null, '', '#')
  }

  private async leave(): Promise<void> {
    const { lobby } = this
    this.leaveBehind()
    this.rest()
    this.home()
    await lobby?.leave().catch(() => {})
  }

  private draw(): void {
    const { lobby } = this
    if (lobby === undefined || this.screen !== 'lobby') return
    const isSearching = lobby.current.status !== 'waiting'
    if (!isSearching) this.searchingSince = undefined
    else this.searchingSince ??= Date.now()
    lobbyScreen({
      lobby,
      seats: SEATS,
      link: `${location.origin}${location.pathname}#${lobby.inviteCode ?? ''}`,
      searchingSince: this.searchingSince,
      search: () => void this.search(),
      cancel: () => this.abort.abort(),
      leave: () => void this.leave(),
    })
  }

  /**
   * Searches for a match: the host enters the queue, and the other members follow. Repeats after each match and after
   * each search without a match.
   */
  private async search(): Promise<void> {
    const { lobby, turn } = this
    if (lobby === undefined) return
    this.abort.abort()
    this.abort = new AbortController()
    const { signal } = this.abort
    try {
      const match = await lobby.findMatch({ signal, onProposal: (proposal) => this.ask(lobby, proposal) })
      if (this.turn === turn) await this.play(lobby, match)
      return
    } catch (error) {
      if (this.turn !== turn) return
      if (isMatchyardError(error, 'PLAYER_IN_MATCH')) return this.elsewhere(lobby)
      this.screen = 'lobby'
      this.draw()
      if (!signal.aborted) this.explain(error)
    }
    // A member who is not the host waits for the next search of the host.
    if (this.turn === turn && lobby.closed === undefined && !lobby.isHost && !signal.aborted) void this.search()
  }

  /** Lets a player whose other window plays a match continue that match in this window. */
  private elsewhere(lobby: Lobby): void {
    const back = () => {
      this.screen = 'lobby'
      this.draw()
    }
    this.screen = 'other'
    elsewhereScreen({
      back,
      resume: () =>
        this.go(async () => {
          const match = await this.client.resume()
          if (match === undefined) return back()
          this.enter(match.lobby)
          void lobby.leave().catch(() => {})
          await this.play(match.lobby, match)
        }),
    })
  }

  private explain(error: unknown): void {
    if (error instanceof MatchmakingEnded) {
      const text = EXITS[error.exit?.reason ?? '']
      if (text !== undefined) toast(text)
    } else toast(isMatchyardError(error) ? error.detail : String(error))
  }

  private ask(lobby: Lobby, proposal: MatchProposal): void {
    this.screen = 'other'
    this.stage.sounds.play('found')
    const answer = (word: 'accept' | 'decline') => () => void proposal[word]().catch((error) => toast(String(error)))
    const told = readyScreen(proposal, { accept: answer('accept'), decline: answer('decline') })
    const stop = lobby.on('proposal', (now) => {
      if (now !== null) return told(now.accepted, now.needed)
      stop()
      // The lobby searches again, unless the match was made.
      if (lobby.current.match_id !== null) return
      this.screen = 'lobby'
      this.draw()
    })
  }

  private async play(lobby: Lobby, match: Match): Promise<void> {
    const { turn } = this
    this.screen = 'other'
    this.searchingSince = undefined
    const { results, me, left, moved } = await playMatch(match, this.stage)
    if (this.turn !== turn) return
    if (left) return this.leave()
    if (moved) {
      // The lobby is only closed: the other window plays on in it.
      this.leaveBehind()
      lobby.close()
      this.rest()
      return this.home()
    }
    if (results === undefined) {
      this.screen = 'lobby'
      this.rest()
      this.draw()
      toast(EXITS[(await match.ended).reason] ?? 'The match has ended.')
      return this.lookForTheNext(lobby)
    }
    let isOver = false
    const tell = () => {
      if (this.turn !== turn || document.body.dataset.screen !== 'results') return
      const wish = wishOf(lobby)
      byId('note').textContent = wish ?? ''
      const button = byId('rematch') as HTMLButtonElement
      button.disabled = !isOver || lobby.current.status !== 'waiting'
      button.textContent = isOver ? 'Rematch' : 'One moment…'
    }
    resultsScreen({
      ...{ results, me, again: undefined, note: '' },
      rematch: () => this.again(lobby),
      leave: () => void this.leave(),
    })
    const stop = lobby.on('change', tell)
    this.stops.push(stop)
    await match.ended
    isOver = true
    tell()
    this.lookForTheNext(lobby)
  }

  /** Lets a member follow as soon as the host searches. */
  private lookForTheNext(lobby: Lobby): void {
    if (this.lobby === lobby && !lobby.isHost) void this.search()
  }

  private async again(lobby: Lobby): Promise<void> {
    await this.go(async () => {
      if (lobby.isHost) {
        this.screen = 'lobby'
        this.rest()
        void this.search()
        return
      }
      await lobby.setState({ again: lobby.current.match_id ?? lobby.current.updated_at })
      const button = byId('rematch') as HTMLButtonElement
      button.disabled = true
      button.textContent = 'The host is asked…'
    })
  }
}

/** Returns a sentence about the other members who want to play again. */
function wishOf(lobby: Lobby): string | undefined {
  const others = lobby.current.players.filter(({ player_id, state }) => player_id !== lobby.me && 'again' in state)
  return others.length === 0 ? undefined : `${others.map(nameOf).join(', ')} would play again.`
}
