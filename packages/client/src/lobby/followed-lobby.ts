import type { Lobby as LobbyData, Player } from '../api/types'
import type { CallOptions, Method } from '../calls/calls'
import { first } from '../calls/first'
import type { Session } from '../client-session'
import { isMatchyardError, type MatchyardError, unless } from '../errors'
import { followerOf } from '../follow/follower'
import { findMatch } from '../match/find-match'
import { SETTLED_MS } from '../times'
import { differences } from './differences'
import { emitter } from './emitter'
import { freeze } from './freeze'
import type { ClosedReason, HandleEvents, Lobby } from './lobby'

/** A followed lobby with the methods that only the client itself calls. */
export interface FollowedLobby extends Lobby {
  /** Handles an event of the web page: the page is hidden, runs again, or is visible. */
  page(is: 'pause' | 'resume' | 'wake'): void
}

/**
 * Whether an event shows a state. Events leave out private lists of player ids, so a later version (`isLater`) may lack lists that the answer
 * has.
 */
function shows(seen: Player['state'], wanted: Player['state'], isLater: boolean): boolean {
  const isShown = ([field, value]: [string, unknown]) => !isLater || field in seen || !Array.isArray(value)
  return JSON.stringify(seen) === JSON.stringify(Object.fromEntries(Object.entries(wanted).filter(isShown)))
}

/** Returns a handle of a lobby, and follows the lobby from its known state. */
export function followedLobby(session: Session, known: LobbyData, me: string): FollowedLobby {
  const { call } = session.calls
  const { lobby_id: id } = known
  const path = `/v1/lobbies/${id}`
  const { on, emit } = emitter<HandleEvents>()
  const lanes = new Map<string, Promise<unknown>>()
  let current = freeze(known)
  let closed: ClosedReason | undefined
  let leaving = false

  const take = (next: LobbyData, isLast: boolean): void => {
    const before = current
    current = freeze(next)
    if (next.version !== before.version) {
      for (const { name, args } of differences(next, before)) emit(name, ...(args as never))
    }
    if (isLast) shut(leaving ? 'left' : 'deleted')
    else if (!next.players.some(({ player_id }) => player_id === me)) shut(leaving ? 'left' : 'removed')
  }

  const shut = (reason: ClosedReason, error?: MatchyardError): void => {
    if (closed !== undefined) return
    closed = reason
    follower.input({ is: 'close' })
    session.closed(lobby)
    emit('closed', reason, error)
  }

  const follower = followerOf({
    ...session,
    path,
    version: known.version,
    sink: {
      lobby: take,
      gone: (error) => shut(closedBy(error), error),
      connection: (now, transport) => {
        if (now === 'live' && transport !== session.transport) {
          session.log('event streams do not come through: polling')
        }
        emit('connection', now, transport)
      },
    },
  })

  /** Resolves when the condition holds, the lobby has ended, or the time limit passes. */
  const until = async (holds: (now: LobbyData) => boolean): Promise<void> => {
    if (closed !== undefined || holds(current)) return
    await first(
      (done) => on('change', (now) => holds(now) && done()),
      (done) => on('closed', done),
      (done) => session.platform.after(SETTLED_MS, done),
    )
  }

  const told = (now: LobbyData): Promise<void> => {
    follower.offer(now)
    return until(({ version }) => version >= now.version)
  }

  /**
   * Runs calls with the same value of `lane` one after another, in the order of the requests, so that the last request
   * takes effect last.
   */
  const inLane = <T>(lane: string, work: () => Promise<T>): Promise<T> => {
    const mine = (lanes.get(lane) ?? Promise.resolve()).then(work, work)
    lanes.set(lane, mine)
    const done = () => lanes.get(lane) === mine && lanes.delete(lane)
    mine.then(done, done)
    return mine
  }

  /**
   * Makes a call that returns the lobby. The events of the change are sent before the call resolves, if they arrive
   * within 2 seconds.
   */
  const acted = (lane: string, send: () => Promise<LobbyData | undefined>): Promise<LobbyData> =>
    inLane(lane, async () => {
      const now = (await send()) ?? current
      await told(now)
      return freeze(now)
    })
  const act = (lane: string, method: Method, way: string, body?: object, options?: CallOptions): Promise<LobbyData> =>
    acted(lane, () => call<LobbyData | undefined>(method, path + way, body, options))

  const playerPath = (playerId: string): string => `${path}/players/${encodeURIComponent(playerId)}`

  const lobby: FollowedLobby = {
    id,
    me,
    get current() {
      return current
    },
    get isHost() {
      return current.host_player_id === me
    },
    get inviteCode() {
      return current.invite_code
    },
    get connection() {
      return follower.state.connection
    },
    get transport() {
      return follower.state.transport
    },
    get closed() {
      return closed
    },
    on,
    async setState(state, { replace = false, playerId = me } = {}) {
      let before = 0
      const player = await inLane(`state of ${playerId}`, () => {
        before = current.version
        return call<Player>('PATCH', playerPath(playerId), { state, merge: !replace })
      })
      await until(({ players, version }) =>
        players.some((seen) => seen.player_id === playerId && shows(seen.state, player.state, version > before)),
      )
      return player
    },
    setSettings: (settings) => lobby.update({ settings }),
    update: ({ isPrivate, maxPlayers, queueId, ...same }) =>
      act('settings', 'PATCH', '/settings', {
        ...same,
        is_private: isPrivate,
        max_players: maxPlayers,
        queue_id: queueId,
      }),
    async kick(playerId) {
      const joined = () => current.players.find(({ player_id }) => player_id === playerId)?.joined_at
      const before = joined()
      await call('DELETE', playerPath(playerId)).catch((error) => {
        // With a status other than 404, the error means that the calling player is not in the lobby.
        if (!isMatchyardError(error, 'PLAYER_NOT_IN_LOBBY') || error.status !== 404) throw error
      })
      await until(() => joined() === undefined || joined() !== before)
    },
    ban: (playerId) => act('bans', 'POST', '/bans', { player_id: playerId }),
    async unban(playerId) {
      await act('bans', 'DELETE', `/bans/${encodeURIComponent(playerId)}`).catch(unless('BAN_NOT_FOUND'))
    },
    renewInviteCode: () => act('settings', 'POST', '/invite-code'),
    async leave() {
      if (closed !== undefined) return
      leaving = true
      try {
        await call('POST', `${path}/leave`).catch(unless('PLAYER_NOT_IN_LOBBY', 'LOBBY_NOT_FOUND'))
      } catch (error) {
        leaving = false
        throw error
      }
      shut('left')
    },
    close: () => shut('closed'),
    findMatch: (options = {}) =>
      findMatch(lobby, session, options, {
        enter: () => act('queue', 'POST', '/queue', undefined, options),
        cancel: lobby.cancel,
      }),
    start: (options = {}) =>
      findMatch(lobby, session, options, {
        enter: () => act('queue', 'POST', '/start', { teams: options.teams }, options),
      }),
    joinMatch(matchId, options = {}) {
      const to = `/v1/matches/${encodeURIComponent(matchId)}/join`
      const enter = () => acted('queue', () => call<LobbyData>('POST', to, { lobby_id: id }, options))
      return findMatch(lobby, session, options, { enter })
    },
    async cancel() {
      const cancelled = act('queue', 'DELETE', '/queue')
      return (await cancelled.catch(unless('INVALID_LOBBY_STATE', 'LOBBY_NOT_FOUND'))) !== undefined
    },
    endMatch: () => act('queue', 'POST', '/end'),
    async delete() {
      await call('DELETE', path).catch(unless('LOBBY_NOT_FOUND'))
      shut('deleted')
    },
    refresh: () => act('read', 'GET', ''),
    page: (is) => follower.input({ is }),
  }
  lobby.page('resume')
  return lobby
}

function closedBy(error: MatchyardError | undefined): ClosedReason {
  if (error === undefined) return 'deleted'
  if (error.code === 'PLAYER_NOT_IN_LOBBY') return 'removed'
  return error.code === 'LOBBY_NOT_FOUND' ? 'gone' : 'refused'
}
