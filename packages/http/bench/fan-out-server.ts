import { createServer, type ServerResponse } from 'node:http'
import { benchService, listen, serve } from './service'

// The side that writes, in a process of its own: the service's event streams and, beside them, a raw loop over node:http.
const { matchyard, app, projectId, clientKey } = await benchService()
const lobby = await matchyard.lobbies.create({ projectId, playerId: 'ann', queueId: 'duel' })
const state = { filler: 'x'.repeat(600) }

const raw = new Set<ServerResponse>()
const rawServer = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write('retry: 2000\n\n')
  raw.add(response)
  response.on('close', () => raw.delete(response))
})

const publish = {
  async ours(n: number) {
    const input = { projectId, lobbyId: lobby.id, playerId: 'ann', targetPlayerId: 'ann', state: { ...state, n } }
    await matchyard.lobbies.updatePlayer(input)
  },
  async raw(n: number) {
    const text = `event: lobby_updated\nid: ${n}\ndata: ${JSON.stringify({ ...ECHOED, n })}\n\n`
    for (const response of raw) response.write(text)
  },
}

await publish.ours(0)
const read = await app.request(`/v1/lobbies/${lobby.id}`, { headers: { 'api-key': clientKey } })
const ECHOED = (await read.json()) as object

process.on('message', async ({ side, n, from }: { side?: 'ours' | 'raw'; n: number; from?: true }) => {
  if (side !== undefined) await publish[side](n)
  if (from === true) process.send?.({ cpu: process.cpuUsage() })
})
process.send?.({ ours: await serve(app.fetch), raw: await listen(rawServer), clientKey, lobbyId: lobby.id })
