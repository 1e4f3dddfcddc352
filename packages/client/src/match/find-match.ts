import type { JoinToken, Lobby as LobbyData, Match as MatchData, Proposal, QueueExplanation } from '../api/types'
import type { Session } from '../client-session'
import { isMatchyardError, MatchmakingEnded } from '../errors'
import { Match } from './match'
import type { MatchLobby } from './match-lobby'

/** How often it is asked why the lobby still waits. */
const EXPLAIN_EVERY_MS = 5_000

/** A match that the player is asked about. */
export interface MatchProposal extends Proposal {
  /** Says yes. One that is over meanwhile is no error: the search goes on, or ends, by itself. */
  accept(): Promise<void>
  /** Says no: the lobby is back in `waiting`, and may have to pause before it searches again. */
  decline(): Promise<void>
}

/** How a match is searched for. */
export interface FindMatchOptions {
  /** Calls the search off. */
  readonly signal?: AbortSignal | undefined
  /** Told every few seconds why the lobby still waits: which rules how many others fail, what loosens next, how long it usually takes. */
  readonly onWaiting?: ((why: QueueExplanation) => void) | undefined
  /** Asked, where the queue has a ready check, for each match that is proposed. Without an answer in time the lobby is back in `waiting`. */
  readonly onProposal?: ((proposal: MatchProposal) => unknown) | undefined
}

/** How the search begins and ends. */
export interface Way {
  readonly act: (method: 'POST', path: string) => Promise<LobbyData>
  /** Answers whether the lobby was still searching. Without it the search cannot be called off. */
  readonly cancel?: () => Promise<boolean>
}

/** From here until the match is on. */
export async function findMatch<L extends MatchLobby>(
  lobby: L,
  session: Session,
  options: FindMatchOptions,
  way: Way,
): Promise<Match<L>> {
  const { signal } = options
  signal?.throwIfAborted()
  const search = new Search(lobby, session, options)
  try {
    await begin(lobby, search, way, signal)
    const onAbort = () => void callOff(lobby, search, way, signal)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    try {
      await search.inGame
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  } finally {
    search.stop()
  }
  return matchOf(lobby, session)
}

async function begin(lobby: MatchLobby, search: Search, way: Way, signal: AbortSignal | undefined): Promise<void> {
  if (lobby.current.status !== 'waiting' || !lobby.isHost)
    return search.from(lobby.current, lobby.current.status !== 'waiting')
  try {
    search.from(await way.act('POST', '/queue'), true)
  } catch (error) {
    if (signal?.aborted) {
      // Whether it is in the queue is not known; it must not stay there.
      await way.cancel?.()
    } else if (isMatchyardError(error, 'INVALID_LOBBY_STATE')) {
      // Somebody else was quicker, or the answer before was never told.
      const now = await lobby.refresh()
      if (now.status !== 'waiting') return search.from(now, true)
    }
    throw error
  }
}

/** Cancel against match is decided once, by the service. */
async function callOff(lobby: MatchLobby, search: Search, way: Way, signal: AbortSignal | undefined): Promise<void> {
  try {
    const isOver = !lobby.isHost || way.cancel === undefined || (await way.cancel())
    if (!isOver && ['matched', 'starting', 'in_game'].includes((await lobby.refresh()).status)) return
  } catch {}
  search.fail(signal?.reason)
}

/** Watches the lobby until it plays, or is back. */
class Search {
  readonly inGame: Promise<void>
  fail: (error: unknown) => void = () => {}
  private succeed: () => void = () => {}
  private since = Number.POSITIVE_INFINITY
  private entered = false
  private asked: string | undefined
  private readonly stops: (() => void)[] = []
  private ended = false
  private nextExplanation = () => {}

  constructor(
    private readonly lobby: MatchLobby,
    private readonly session: Session,
    private readonly options: FindMatchOptions,
  ) {
    this.inGame = new Promise((resolve, reject) => {
      this.succeed = resolve
      this.fail = reject
    })
    // What fails before anybody waits for it is not unhandled.
    this.inGame.catch(() => {})
    this.stops.push(
      lobby.on('change', (now) => this.look(now)),
      lobby.on('closed', (_, error) => this.fail(error ?? new MatchmakingEnded(null))),
    )
    if (lobby.closed !== undefined) this.fail(new MatchmakingEnded(null))
  }

  /** Versions from this one on count. */
  from(lobby: LobbyData, entered: boolean): void {
    this.since = lobby.version
    this.entered = entered
    this.look(this.lobby.current)
    if (this.options.onWaiting !== undefined) this.explain()
  }

  stop(): void {
    this.ended = true
    this.nextExplanation()
    for (const stop of this.stops) stop()
  }

  private look(now: LobbyData): void {
    if (now.version < this.since) return
    if (now.status === 'in_game') this.succeed()
    else if (now.status !== 'waiting') this.entered = true
    else if (this.entered && now.last_exit !== null) this.fail(new MatchmakingEnded(now.last_exit))
    if (now.proposal !== undefined && now.proposal.match_id !== this.asked) this.ask(now.proposal)
  }

  private ask(proposal: Proposal): void {
    this.asked = proposal.match_id
    const answer = (word: string) => async () => {
      const call = { method: 'POST', path: `/v1/lobbies/${this.lobby.id}/proposal/${word}` } as const
      try {
        await this.session.calls.call({ ...call, body: { match_id: proposal.match_id } })
      } catch (error) {
        if (!isMatchyardError(error, 'NO_PROPOSAL', 'PROPOSAL_CHANGED', 'INVALID_LOBBY_STATE')) throw error
      }
    }
    const given: MatchProposal = { ...proposal, accept: answer('accept'), decline: answer('decline') }
    // A handler that fails, or whose answer cannot be given, fails the search.
    new Promise((resolve) => resolve(this.options.onProposal?.(given))).catch(this.fail)
  }

  /** Again and again, until the search is over. */
  private explain(): void {
    if (this.ended) return
    const again = () => {
      this.nextExplanation = this.session.platform.after(EXPLAIN_EVERY_MS, () => this.explain())
    }
    if (this.lobby.current.status !== 'in_queue') {
      again()
      return
    }
    this.session.calls
      .call<QueueExplanation>({ method: 'GET', path: `/v1/lobbies/${this.lobby.id}/queue` })
      .then((why) => {
        if (!this.ended) this.options.onWaiting?.(why)
      })
      .catch(() => {})
      .then(again)
  }
}

/** The match that the lobby plays, with what its player needs to get in. */
async function matchOf<L extends MatchLobby>(lobby: L, { calls }: Session): Promise<Match<L>> {
  const { match_id: id, server } = lobby.current
  if (id === null) throw new MatchmakingEnded(lobby.current.last_exit)
  const path = `/v1/matches/${id}`
  try {
    const [match, token] = await Promise.all([
      calls.call<MatchData>({ method: 'GET', path }),
      server === null ? undefined : calls.call<JoinToken>({ method: 'POST', path: `${path}/join-token` }),
    ])
    return new Match(lobby, calls, match, token)
  } catch (error) {
    if (!isMatchyardError(error, 'MATCH_NOT_FOUND', 'INVALID_MATCH_STATE')) throw error
    // It was over before the player could get in.
    const now = await lobby.refresh()
    throw new MatchmakingEnded(now.last_exit, error.detail)
  }
}
