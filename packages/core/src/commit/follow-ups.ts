import type { LobbyEvent } from '../lobby/events'
import type { Lobby } from '../lobby/lobby'
import type { JobSpec } from '../ports/storage/index'
import { INVITE_CODE_HOLD_MS, type InviteHold, normaliseInviteCode } from '../queue/invite-code'
import type { ServerEvent } from '../server/events'
import type { GameServer } from '../server/game-server'
import { jobs } from './jobs'

/**
 * What follows from what happened: event to jobs, as a table. What depends on a queue's settings (timeouts) is put by the
 * use case that read the queue.
 */
export const followUps = {
  lobby(lobby: Lobby, event: LobbyEvent, at: number): JobSpec[] {
    switch (event.type) {
      case 'lobby_created':
        return [jobs.watchLobby(lobby, at)]
      case 'settings_changed':
        // Another queue has other timeouts.
        return event.changes.queueId === undefined ? [] : [jobs.watchLobby(lobby, at)]
      case 'player_joined':
        // Its heartbeat deadline may come before the lobby's next check.
        return [jobs.watchLobby(lobby, at)]
      case 'game_ended':
      case 'launch_failed':
        return [jobs.watchLobby(lobby, at)]
      default:
        return []
    }
  },

  server(server: GameServer, event: ServerEvent, at: number): JobSpec[] {
    switch (event.type) {
      case 'server_running':
        return server.expiresAt === null ? [] : [jobs.expireServer(server, server.expiresAt)]
      case 'server_ttl_capped':
        return [jobs.expireServer(server, event.expiresAt)]
      case 'server_crashed':
      case 'server_restarting':
        return [jobs.relaunchServer(server, event.relaunchAt)]
      case 'server_stopping':
        return [jobs.stopServer(server, at)]
      case 'server_stopped':
      case 'server_failed':
        return [jobs.releaseServer(server, at)]
      default:
        return []
    }
  },

  /** A code that a lobby gives up is held back for a while, and the job that ends the hold. */
  codeFreed(lobby: Lobby, code: string, at: number): { hold: InviteHold; release: JobSpec } {
    const id = holdId(lobby, code)
    const until = at + INVITE_CODE_HOLD_MS
    return {
      hold: { id, version: 1, projectId: lobby.projectId, code, until },
      release: jobs.releaseInviteCode(id, lobby.accountId, until),
    }
  },
}

// The lobby is part of the id: a code may be freed again by another lobby before an old hold's job has run.
const holdId = (lobby: Lobby, code: string) => `${lobby.id}/${normaliseInviteCode(code)}`
