import { ofLobby } from '../../commit/of-lobby'
import { change } from '../../commit/transact'
import { accept, type Decision } from '../../errors/decision'
import { isNotFound } from '../../errors/service-error'
import { leaveQueue } from '../../lobby/decide'
import type { LobbyEvent } from '../../lobby/events'
import { stayOf } from '../../lobby/stay'
import type { Service } from '../../node/service'
import { bannedLobbies } from '../../reads/bans'
import { requireProject } from '../../reads/require'

/**
 * Takes the lobbies of a banned player out of the queues from which the player is banned. The lobbies return to `waiting` with all their
 * players. A proposed match ends as if the lobby had declined, without a penalty. Nothing happens when the ban was lifted or has ended.
 */
export async function endSearches(ctx: Service, projectId: string, playerId: string): Promise<void> {
  const searches = await ctx.storage.lobbies.searching(projectId, [playerId])
  for (const { lobbyId } of searches) await endSearch(ctx, projectId, lobbyId)
}

/** The commit checks the version of the project, so a ban that is lifted meanwhile ends no search. */
async function endSearch(ctx: Service, projectId: string, lobbyId: string): Promise<void> {
  try {
    await change(
      ctx,
      ofLobby,
      { projectId, lobbyId },
      async (lobby, draft): Promise<Decision<LobbyEvent>> => {
        if (stayOf(lobby) === undefined) return accept()
        const project = await requireProject(ctx, projectId)
        draft.check('project', project)
        const banned = await bannedLobbies(ctx, project, [lobby], draft.at)
        return banned.length === 0 ? accept() : leaveQueue(lobby, 'banned')
      },
      { answer: () => null },
    )
  } catch (error) {
    // The lobby or the project was deleted meanwhile.
    if (!isNotFound(error)) throw error
  }
}
