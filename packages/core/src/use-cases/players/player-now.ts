import { MAX_LIST_BYTES } from '../../catalog/limits'
import { type HeldBy, partyHeldBy } from '../../commit/hold'
import { coolingOf } from '../../commit/rows/cooldown'
import { stayOf } from '../../lobby/stay'
import type { MatchStatus } from '../../match/match'
import { isProposed } from '../../match/proposal'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import { queueKey } from '../../queue/queue'
import { liveMatchOf } from '../../reads/live-matches'
import { withServers } from '../../reads/with-servers'
import type { ServerSummary } from '../../server/game-server'
import type { Instant } from '../../shared/time'

/** Maximum queues of which the cooldowns of a player are examined. */
const LISTED_COOLDOWNS = 100

/** Match that has not ended and that keeps its players out of other matches. */
export interface LiveMatch {
  /** Id of the match. */
  readonly matchId: string
  /** Queue of the match. */
  readonly queueId: string
  /** Lobby with which the player is in the match. */
  readonly lobbyId: string
  /** Status of the match. */
  readonly status: MatchStatus
  /** Server of the match; null without one. */
  readonly server: ServerSummary | null
}

/** Search of a player: a lobby of the player that is in `in_queue`. */
export interface OwnSearch {
  /** Lobby that searches. */
  readonly lobbyId: string
  /** Queue of the lobby. */
  readonly queueId: string
  /** Time at which the lobby entered the queue. */
  readonly enteredAt: Instant
  /** Reason why the lobby cannot be matched at present, with any party; null without such a reason. */
  readonly heldBy: HeldBy | null
}

/** Current match, searches and cooldowns of a player. */
export interface PlayerNow {
  /** Match that keeps the player out of other matches; null without one. */
  readonly liveMatch: LiveMatch | null
  /** Lobbies of the player that search for a match, the longest search first. */
  readonly searches: readonly OwnSearch[]
  /** Queues that the player may not enter yet, by ascending queue id; only the first LISTED_COOLDOWNS queues of the project are examined. */
  readonly cooldowns: readonly {
    /** Queue that the player may not enter yet. */
    readonly queueId: string
    /** Time from which the player may enter the queue again. */
    readonly until: Instant
  }[]
}

export interface OfPlayer extends InProject {
  /** Id of the player, 1 to 128 characters. */
  readonly playerId: string
}

/** Returns the current data of a player. With `forPlayer`, a match that is only proposed is not shown. */
export async function playerNow(
  ctx: Service,
  by: OfPlayer,
  { forPlayer }: { readonly forPlayer: boolean },
): Promise<PlayerNow> {
  const [liveMatch, searches, cooldowns] = await Promise.all([
    matchNow(ctx, by, forPlayer),
    searchesNow(ctx, by),
    coolingNow(ctx, by),
  ])
  return { liveMatch, searches, cooldowns }
}

async function matchNow(
  ctx: Service,
  { projectId, playerId }: OfPlayer,
  forPlayer: boolean,
): Promise<LiveMatch | null> {
  const match = await liveMatchOf(ctx, projectId, playerId)
  if (match === undefined || (forPlayer && isProposed(match))) return null
  const seat = match.teams
    .flatMap(({ players }) => players)
    .find((player) => player.playerId === playerId && player.leftAt === null)
  const [there] = await withServers(ctx, [match])
  const { id: matchId, queueId, status } = match
  return { matchId, queueId, lobbyId: seat?.lobbyId ?? '', status, server: there?.server ?? null }
}

async function searchesNow(ctx: Service, { projectId, playerId }: OfPlayer): Promise<OwnSearch[]> {
  const found = await ctx.storage.lobbies.searching(projectId, [playerId])
  const lobbies = await ctx.storage.getMany(
    'lobby',
    found.map(({ lobbyId }) => lobbyId),
  )
  const searches = await Promise.all(
    lobbies.map(async (lobby) => {
      const stay = stayOf(lobby)
      const queue = await ctx.storage.get('queue', queueKey(projectId, lobby.queueId))
      if (stay === undefined || queue === undefined) return []
      const { id: lobbyId, queueId } = lobby
      return [{ lobbyId, queueId, enteredAt: stay.enteredAt, heldBy: await partyHeldBy(ctx, queue, lobby) }]
    }),
  )
  return searches.flat().sort((a, b) => a.enteredAt - b.enteredAt || (a.lobbyId < b.lobbyId ? -1 : 1))
}

async function coolingNow(ctx: Service, { projectId, playerId }: OfPlayer): Promise<PlayerNow['cooldowns']> {
  const queues = await ctx.storage.queues.list(projectId, {
    limit: LISTED_COOLDOWNS,
    offset: 0,
    maxBytes: MAX_LIST_BYTES,
  })
  const now = ctx.clock.now()
  const cooling = await Promise.all(
    queues.data.map(async ({ queueId }) => {
      const found = await coolingOf(ctx, { projectId, queueId }, [playerId])
      return found.flatMap(({ until }) => (until > now ? [{ queueId, until }] : []))
    }),
  )
  return cooling.flat()
}
