import type { ServerEvent } from '../server/events'
import type { GameServer } from '../server/game-server'
import type { Aggregate } from './aggregate'
import { crashed } from './consequences/crashed'
import { ended } from './consequences/ended'
import { metered } from './consequences/metered'
import { registerConsequences } from './consequences/register'
import { serverMoved } from './consequences/server-moved'
import { writeServer } from './rows/server'

/**
 * Functions that read and change a server by its id. A change writes the server's row, its counters and its match, so that lobbies always
 * show the current server (docs/http-api.md §6).
 */
export const ofServer: Aggregate<GameServer, ServerEvent, string, undefined> = {
  turn: (instanceId) => instanceId,
  read: (ctx, instanceId) => ctx.storage.get('server', instanceId),
  write: writeServer,
  carry: registerConsequences(serverMoved, metered, crashed, ended),
}
