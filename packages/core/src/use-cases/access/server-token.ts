import type { Caller } from '../../access/caller'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import { ServiceError } from '../../errors/service-error'
import { isLive } from '../../server/game-server'

export type GameServerCaller = Extract<Caller, { kind: 'game-server' }>

const PURPOSE = 'server-token'
const PREFIX = 'srvt_'
// The signature may hold an underscore, so it is told by its length: 32 bytes in base64url.
const SHAPE = /^srvt_(.+)_([1-9][0-9]{0,8})_([A-Za-z0-9_-]{43})$/

/** The token that one spawn of a game server finds in its configuration file; it needs no row of its own. */
export function issueServerToken(ctx: Context, instanceId: string, attempt: number): string {
  return `${PREFIX}${instanceId}_${attempt}_${ctx.tokens.sign(PURPOSE, signedText(instanceId, attempt))}`
}

/** Whether a bearer token claims to be a game server's. */
export const isServerToken = (token: string): boolean => token.startsWith(PREFIX)

/** Which game server calls; its token holds while it is live and this spawn is its current one. Throws INVALID_SESSION_TOKEN. */
export function authenticateServerToken(ctx: Context, token: string): Promise<GameServerCaller> {
  return unavailableInsteadOf(async () => {
    const [, instanceId, digits, signature] = SHAPE.exec(token) ?? []
    if (instanceId === undefined || digits === undefined || signature === undefined) throw invalid('it is malformed')
    const attempt = Number(digits)
    if (!ctx.tokens.verify(PURPOSE, signedText(instanceId, attempt), signature)) throw invalid('its signature is wrong')
    const server = await ctx.storage.get('server', instanceId)
    if (server === undefined || !isLive(server)) throw invalid('its server has ended')
    if (server.attempt !== attempt) throw invalid('its server was started again with another token')
    return { kind: 'game-server', instanceId, attempt, projectId: server.projectId }
  })
}

const signedText = (instanceId: string, attempt: number) => `${instanceId}\n${attempt}`

const invalid = (why: string) =>
  new ServiceError('INVALID_SESSION_TOKEN', `the game server's token is not valid: ${why}`)
