import { createApp } from '@matchyard/http'
import { Hono } from 'hono'
import { matchBoard } from './match-board'
import type { EmbeddedMatchmaker } from './matchmaker'

/**
 * Returns the player of a request, by your own login. In this example a bearer token is the player's name; replace it
 * with your check.
 */
export type Authenticate = (authorization: string | undefined) => string | undefined
export const trustingLogin: Authenticate = (authorization) => /^Bearer (\w{1,32})$/.exec(authorization ?? '')?.[1]

/** Returns the game's backend: its own routes and the matchmaker's `/v1`, in one application on one port. */
export function createBackend({ matchyard, projectId }: EmbeddedMatchmaker, authenticate: Authenticate) {
  const board = matchBoard(matchyard.events)
  const service = createApp(matchyard)
  const app = new Hono<{ Variables: { playerId: string } }>()

  app.use('/me/*', async (c, next) => {
    const playerId = authenticate(c.req.header('authorization'))
    if (playerId === undefined) return c.json({ error: 'log in first' }, 401)
    c.set('playerId', playerId)
    await next()
  })

  // This route calls the library directly, without HTTP and API key: the backend has checked the player, so clients
  // need no key.
  app.post('/me/duel', async (c) => {
    const playerId = c.get('playerId')
    const lobby = await matchyard.lobbies.create({ projectId, playerId, queueId: 'duel' })
    const queued = await matchyard.lobbies.enqueue({ projectId, lobbyId: lobby.id, playerId })
    return c.json({ lobby_id: queued.id, status: queued.status }, 201)
  })

  app.get('/me/opponents', (c) => c.json(board.opponentsOf(c.get('playerId'))))

  // Mounted last, because the matchmaker answers every remaining path below /v1. Its errors and streams are its own.
  app.mount('/', service.fetch)
  return Object.assign(app, { closeStreams: () => service.closeStreams() })
}
