import { withoutAuditedPlayer } from '../../audit/entry'
import { departByReport } from '../../commit/depart-by-report'
import { Draft } from '../../commit/draft'
import { ofLobby } from '../../commit/of-lobby'
import { eraseFromBan } from '../../commit/rows/ban'
import { writeMatch } from '../../commit/rows/match'
import { removeStandings } from '../../commit/rows/standing'
import { change, transact } from '../../commit/transact'
import { isNotFound } from '../../errors/service-error'
import { forgetBan } from '../../lobby/bans'
import { forgetMeeting } from '../../lobby/decide'
import type { Lobby } from '../../lobby/lobby'
import { playerIdsOf } from '../../lobby/members'
import { decideErasePlayer as decideErasure } from '../../match/decide'
import { ERASED, type Match } from '../../match/match'
import { countsAsMeeting } from '../../match/meetings'
import type { Service } from '../../node/service'
import { banId } from '../../reads/bans'
import { withoutPlayer } from '../../webhook/message'
import { leaveArrivals } from './leave-arrivals'

/** Maximum number of lobbies, matches or messages that one run handles. */
const PAGE = 50

/**
 * Erases a player's data. The player is removed from lobbies first, so that no new match can contain the player. Then the run removes the
 * player from bans, ratings, matches, recorded arrivals, the audit log, and from messages to webhooks about lobbies and matches. When data was found, returns the
 * time of the next run. A player who returns again and again thus delays no other jobs.
 */
export async function carryOutErasure(ctx: Service, projectId: string, playerId: string): Promise<number | undefined> {
  const found =
    (await leaveLobbies(ctx, projectId, playerId)) ||
    (await leaveBans(ctx, projectId, playerId)) ||
    (await eraseBan(ctx, projectId, playerId)) ||
    (await leaveStandings(ctx, projectId, playerId)) ||
    (await leaveMatches(ctx, projectId, playerId)) ||
    (await leaveArrivals(ctx, projectId, playerId)) ||
    (await leaveMessages(ctx, projectId, playerId)) ||
    (await leaveAudit(ctx, projectId, playerId))
  return found ? ctx.clock.now() : undefined
}

async function leaveLobbies(ctx: Service, projectId: string, playerId: string): Promise<boolean> {
  const window = { includePrivate: true, sort: 'created_at_asc', limit: PAGE, offset: 0 } as const
  const { data } = await ctx.storage.lobbies.browse({ projectId, playerId, ...window })
  const player = { playerId, isExcused: true }
  for (const { id: lobbyId } of data) await departByReport(ctx, { projectId, lobbyId }, player)
  return data.length > 0
}

async function leaveBans(ctx: Service, projectId: string, playerId: string): Promise<boolean> {
  const window = { includePrivate: true, sort: 'created_at_asc', limit: PAGE, offset: 0 } as const
  const { data } = await ctx.storage.lobbies.browse({ projectId, bannedId: playerId, ...window })
  for (const { id: lobbyId } of data) {
    const forget = (lobby: Lobby) => forgetBan(lobby, playerId)
    await change(ctx, ofLobby, { projectId, lobbyId }, forget, { answer: () => null }).catch(unlessGone)
  }
  return data.length > 0
}

/** Returns null for the error that a lobby no longer exists, because its bans do not exist either. */
function unlessGone(error: unknown): null {
  if (isNotFound(error)) return null
  throw error
}

/** Removes the player's id from their ban. The ban stays in force, because its row is found by a hash of the id. */
function eraseBan(ctx: Service, projectId: string, playerId: string): Promise<boolean> {
  return transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const ban = await ctx.storage.get('ban', banId(ctx, projectId, playerId))
    const isNamed = ban !== undefined && ban.playerId !== null
    if (isNamed) eraseFromBan(draft, ban)
    return { draft, answer: isNamed }
  })
}

function leaveStandings(ctx: Service, projectId: string, playerId: string): Promise<boolean> {
  return transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const standings = await ctx.storage.standings.ofPlayer(projectId, playerId, PAGE)
    removeStandings(draft, standings)
    return { draft, answer: standings.length > 0 }
  })
}

async function leaveMatches(ctx: Service, projectId: string, playerId: string): Promise<boolean> {
  const matches = await ctx.storage.matches.ofPlayer(projectId, playerId, PAGE)
  for (const found of matches) {
    // Before: an erasure that stops between two commits finds the match again. After: a player may enter the queue between the two commits.
    await leaveMeetings(ctx, found, playerId)
    await transact(ctx, undefined, async () => {
      const draft = new Draft(ctx.clock.now())
      const match = await ctx.storage.get('match', found.id)
      if (match !== undefined) writeMatch(draft, match, decideErasure(match, playerId))
      return { draft, answer: null }
    })
    await leaveMeetings(ctx, found, playerId)
  }
  return matches.length > 0
}

/** Removes the player from the searches of players who met the player in this match. */
async function leaveMeetings(ctx: Service, match: Match, playerId: string): Promise<void> {
  if (!countsAsMeeting(match)) return
  const { projectId } = match
  const others = match.teams.flatMap(playerIdsOf).filter((id) => id !== ERASED && id !== playerId)
  for (const { lobbyId } of await ctx.storage.lobbies.searching(projectId, others)) {
    const forget = (lobby: Lobby) => forgetMeeting(lobby, playerId)
    await change(ctx, ofLobby, { projectId, lobbyId }, forget, { answer: () => null }).catch(unlessGone)
  }
}

/**
 * Removes the player from the stored messages. Messages that were delivered cannot be changed; messages that are sent from now on no longer
 * name the player.
 */
async function leaveMessages(ctx: Service, projectId: string, playerId: string): Promise<boolean> {
  const messages = await ctx.storage.messages.ofPlayer(projectId, playerId, PAGE)
  for (const { id } of messages) {
    await transact(ctx, undefined, async () => {
      const draft = new Draft(ctx.clock.now())
      const message = await ctx.storage.get('message', id)
      if (message !== undefined) draft.replace('message', message, withoutPlayer(message, playerId))
      return { draft, answer: null }
    })
  }
  return messages.length > 0
}

/** Removes the player's id from the audit log. The entries stay, without the id. */
async function leaveAudit(ctx: Service, projectId: string, playerId: string): Promise<boolean> {
  const entries = await ctx.storage.audit.ofPlayer(projectId, playerId, PAGE)
  return transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const ids = entries.map(({ id }) => id)
    for (const entry of await ctx.storage.getMany('audit', ids))
      if (entry.players.includes(playerId)) draft.replace('audit', entry, withoutAuditedPlayer(entry, playerId))
    return { draft, answer: entries.length > 0 }
  })
}
