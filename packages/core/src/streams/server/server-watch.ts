import type { Context } from '../../context/context'
import { isStopping } from '../../server/game-server'
import { tokenHolds } from '../../server/launch'
import { teamsInFile } from '../../server/server-file'
import { Followed } from '../followed'
import type { WaitingBytes } from '../waiting-bytes'
import type { ServerStream } from './server-stream'

/** One game server that reads, and its match: looked at once for all of its streams. */
export class ServerWatch extends Followed<ServerStream> {
  constructor(
    private readonly ctx: Context,
    instanceId: string,
    readonly matchId: string | null,
    readonly waiting: WaitingBytes,
  ) {
    super(instanceId)
  }

  protected async once(): Promise<boolean> {
    const { storage, settings } = this.ctx
    const server = await storage.get('server', this.id)
    // A token speaks for its server while that lives, and so does who reads by it.
    for (const stream of [...this.streams]) if (!tokenHolds(server, stream.attempt).ok) stream.close()
    if (server === undefined || this.streams.size === 0) return false
    const match = this.matchId === null ? undefined : await storage.get('match', this.matchId)
    const state = {
      match: match && { version: match.version, teams: teamsInFile(match) },
      deadline: isStopping(server) ? server.updatedAt + settings.stopGraceMs : null,
    }
    for (const stream of this.streams) stream.show(state)
    return false
  }
}
