import { Hono } from 'hono'
import { benchService, serve } from './service'

// The side under load, in a process of its own: the service and, beside it, a bare Hono application.
const JOINABLE = 60_000

const { matchyard, app, projectId, clientKey } = await benchService()
const lobby = await matchyard.lobbies.create({ projectId, playerId: 'ann', queueId: 'duel' })
const joinable: string[] = []

const bare = new Hono()
bare.post('/echo', async (c) => c.json(await c.req.json(), 201))
bare.get('/echo', (c) => c.json(ECHOED))
const read = await app.request(`/v1/lobbies/${lobby.id}`, { headers: { 'api-key': clientKey } })
const ECHOED = (await read.json()) as object

const [service, echo] = [await serve(app.fetch), await serve(bare.fetch)]

process.on('message', async (message: { lobbies?: true }) => {
  if (message.lobbies !== true) return
  joinable.length = 0
  for (let n = 0; n < JOINABLE; n++) {
    joinable.push((await matchyard.lobbies.create({ projectId, playerId: 'ann', queueId: 'duel' })).id)
  }
  process.send?.({ joinable })
})
process.send?.({ service, echo, clientKey, lobbyId: lobby.id })
