import { accept } from '../errors/decision'
import { orThrow, ServiceError } from '../errors/service-error'
import { matchLobby } from '../lobby/decide'
import type { LobbyEvent } from '../lobby/events'
import type { Lobby } from '../lobby/lobby'
import { asQueued } from '../lobby/queue-ticket'
import { stayOf } from '../lobby/stay'
import type { MatchEvent } from '../match/events'
import type { Match, MatchTeam, MatchWait } from '../match/match'
import type { Service } from '../node/service'
import { queueKey } from '../queue/queue'
import { bannedLobbies } from '../reads/bans'
import { engineRegions } from '../reads/machines'
import { qualityOf } from '../reads/rating-of-match'
import { accountOf, requireProject } from '../reads/require'
import { Draft } from './draft'
import { openMatch } from './open-match'
import { stillFits } from './still-fits'

export interface MatchToMake {
  readonly match: Match
  /** Events that the match gets in the same commit: the last answers of its players. */
  readonly events: readonly MatchEvent[]
  /** Returns the events that a lobby of the match gets in the same commit. */
  readonly eventsOf: (lobbyId: string) => readonly LobbyEvent[]
  readonly at: number
}

/**
 * Makes a proposed match that all players have accepted, in a new draft, with the same result as for a match without a ready check. Returns
 * the lobbies in their state after the commit. Returns undefined when the queue, a player's state, a ban or the plan no longer allows the match.
 */
export async function makeProposed(
  ctx: Service,
  { match, events, eventsOf, at }: MatchToMake,
): Promise<{ readonly draft: Draft; readonly lobbies: readonly Lobby[] } | undefined> {
  const [queue, lobbies] = await Promise.all([
    ctx.storage.get('queue', queueKey(match.projectId, match.queueId)),
    ctx.storage.getMany('lobby', match.lobbyIds),
  ])
  if (queue === undefined || !stillFits(queue, match, lobbies, await engineRegions(ctx, queue))) return undefined
  const draft = new Draft(at).check('queue', queue)
  try {
    const project = await requireProject(ctx, match.projectId)
    if ((await bannedLobbies(ctx, project, lobbies, at)).length > 0) return undefined
    const account = await accountOf(ctx, project)
    draft.check('project', project).check('account', account)
    const { id, region, gameVersion } = match
    const quality = await qualityOf(ctx, queue, match.teams)
    const opened = openMatch(ctx, draft, {
      ...{ id, queue, account, lobbies, region, gameVersion, ...quality },
      teams: teamsNow(match, lobbies),
      waits: lobbies.map((lobby) => waitOf(lobby, at)),
      causes: [match.trace],
      enter: (lobby) => accept(...eventsOf(lobby.id), ...orThrow(matchLobby(lobby, id))),
      from: { proposed: match, events },
    })
    return { draft, lobbies: opened.lobbies }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    ctx.logger.warn('a proposed match could not be made', { match: match.id, code: error.code, reason: error.detail })
    return undefined
  }
}

/** Returns the teams with every answer set to `accepted`, and with the current states and private fields of the players. */
function teamsNow({ teams }: Match, lobbies: readonly Lobby[]): MatchTeam[] {
  const now = new Map(lobbies.flatMap(({ players }) => players.map((player) => [player.playerId, asQueued(player)])))
  return teams.map((team) => ({
    ...team,
    players: team.players.map((player) => {
      const { hidden: _, ...rest } = player
      return { ...rest, ...(now.get(player.playerId) ?? player), answer: 'accepted' }
    }),
  }))
}

const waitOf = (lobby: Lobby, at: number): MatchWait => ({
  lobbyId: lobby.id,
  players: lobby.players.length,
  waitedMs: at - (stayOf(lobby)?.enteredAt ?? at),
})
