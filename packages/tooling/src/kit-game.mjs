// A game server made with the game server kit; the tests bundle it. A test sends one command per line over TCP and
// receives one line as the answer.
import { createServer } from 'node:net'
import { attach } from '@matchyard/client/game-server'

const server = await attach()
const updates = []
server.on('match_updated', ({ version, joined, left }) => {
  updates.push({ version, joined: joined.map(({ playerId }) => playerId), left: left.map(({ playerId }) => playerId) })
})
server.on('connection', ({ state }) => console.log(`connection ${state}`))
server.on('stopping', async ({ deadline }) => {
  await new Promise((resolve) => setTimeout(resolve, 50))
  console.log(`farewell, ${Math.ceil((deadline.getTime() - Date.now()) / 1000)} s before the deadline`)
})

const calls = {
  match: () => ({ match: server.match, teams: server.teams, settings: server.settings, customData: server.customData }),
  updates: () => updates,
  verify: (token) => server.verify(token),
  left: (playerId) => server.playerLeft(playerId).then(() => 'done'),
  backfill: () => server.backfill({ timeoutSeconds: 60 }),
  close: () => server.close().then(() => 'done'),
  over: () => void server.shutdown(),
}

const tools = createServer((socket) => {
  socket.setEncoding('utf8').on('error', () => socket.destroy())
  socket.on('data', async (line) => {
    const [word, rest] = line.trim().split(' ', 2)
    const answer = await Promise.resolve(calls[word](rest)).catch(({ code, number, detail, requestId }) => {
      return { code, number, detail, requestId }
    })
    socket.end(`${JSON.stringify(answer ?? null)}\n`)
  })
})
tools.listen(server.port('control'), () => void server.ready())
