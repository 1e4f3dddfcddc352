import { departByReport } from '../../commit/depart-by-report'
import { Draft } from '../../commit/draft'
import { ofLobby } from '../../commit/of-lobby'
import { writeMatch } from '../../commit/rows/match'
import { change, transact } from '../../commit/transact'
import { isNotFound } from '../../errors/service-error'
import { forgetBan } from '../../lobby/bans'
import type { Lobby } from '../../lobby/lobby'
import { decideErasePlayer as decideErasure } from '../../match/decide'
import type { Service } from '../../node/service'
import { withoutPlayer } from '../../webhook/message'
import { leaveArrivals } from './leave-arrivals'

/** Lobbies, matches and messages that one run looks at. */
const PAGE = 50

/**
 * Lobbies first, so that no new match can hold the player; then the bans of lobbies, then matches, then the arrivals that are recorded, then the messages to
 * webhooks that tell of lobbies and matches. Each run takes out what it finds and answers when the next one is
 * to find what is left, or came meanwhile: who keeps coming back holds up nobody else's jobs.
 */
export async function carryOutErasure(ctx: Service, projectId: string, playerId: string): Promise<number | undefined> {
  const found =
    (await leaveLobbies(ctx, projectId, playerId)) ||
    (await leaveBans(ctx, projectId, playerId)) ||
    (await leaveMatches(ctx, projectId, playerId)) ||
    (await leaveArrivals(ctx, projectId, playerId)) ||
    (await leaveMessages(ctx, projectId, playerId))
  return found ? ctx.clock.now() : undefined
}

async function leaveLobbies(ctx: Service, projectId: string, playerId: string): Promise<boolean> {
  const window = { includePrivate: true, sort: 'created_at_asc', limit: PAGE, offset: 0 } as const
  const { data } = await ctx.storage.lobbies.browse({ projectId, playerId, ...window })
  for (const { id: lobbyId } of data) await departByReport(ctx, { projectId, lobbyId }, playerId)
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

/** A lobby that is gone meanwhile keeps nobody out. */
function unlessGone(error: unknown): null {
  if (isNotFound(error)) return null
  throw error
}

async function leaveMatches(ctx: Service, projectId: string, playerId: string): Promise<boolean> {
  const matches = await ctx.storage.matches.ofPlayer(projectId, playerId, PAGE)
  for (const { id } of matches) {
    await transact(ctx, undefined, async () => {
      const draft = new Draft(ctx.clock.now())
      const match = await ctx.storage.get('match', id)
      if (match !== undefined) writeMatch(draft, match, decideErasure(match, playerId))
      return { draft, answer: null }
    })
  }
  return matches.length > 0
}

/** What has been sent is with whoever got it; what is sent from now on names the player no more. */
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
