import { createApp } from '@matchyard/http'
import { Hono } from 'hono'
import { matchBoard } from './match-board'
import type { EmbeddedMatchmaker } from './matchmaker'

/** What your own login gives you. Here a bearer token is the player's name; put your check in its place. */
export type Authenticate = (authorization: string | undefined) => string | undefined
export const trustingLogin: Authenticate = (authorization) => /^Bearer (\w{1,32})$/.exec(authorization ?? '')?.[1]

/** The game's backend: its own routes, and the matchmaker's `/v1` beside them, in one application on one port. */
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

  // The object itself, without HTTP or an API key: this backend has checked who plays, so no client needs a key.
  app.post('/me/duel', async (c) => {
    const playerId = c.get('playerId')
    const lobby = await matchyard.lobbies.create({ projectId, playerId, queueId: 'duel' })
    const queued = await matchyard.lobbies.enqueue({ projectId, lobbyId: lobby.id, playerId })
    return c.json({ lobby_id: queued.id, status: queued.status }, 201)
  })

  app.get('/me/opponents', (c) => c.json(board.opponentsOf(c.get('playerId'))))

  // Last, as it answers whatever nobody else took below /v1. Its errors and its streams are its own.
  app.mount('/', service.fetch)
  return Object.assign(app, { closeStreams: () => service.closeStreams() })
}
