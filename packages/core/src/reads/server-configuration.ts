import type { Ports } from '../ports/ports'
import type { GameServer } from '../server/game-server'
import { serverFile } from '../server/server-file'
import type { JsonObject } from '../shared/json'
import { joinTokenKeyText } from '../tokens/join-token-key'
import { issueServerToken } from '../tokens/server-token'

/** Returns the current content of the configuration file of a game server, for its current attempt. */
export async function configurationOf(ctx: Ports, server: GameServer, buildVersion: number): Promise<JsonObject> {
  const match = server.matchId === null ? undefined : await ctx.storage.get('match', server.matchId)
  return serverFile({
    server,
    buildVersion,
    match,
    apiUrl: ctx.settings.apiUrl(),
    // The token is derived from the instance id and the attempt, so no secret is stored.
    token: issueServerToken(ctx.tokens, { instanceId: server.id, attempt: server.attempt }),
    joinTokenKey: match === undefined ? null : joinTokenKeyText(ctx.tokens, match),
    at: ctx.clock.now(),
  })
}
