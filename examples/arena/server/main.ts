import { attach } from '@matchyard/client/game-server'
import { WebSocketServer } from 'ws'
import { ArenaMatch, type ArenaShape, everyTick } from './match'

/** Maximum bytes of a message; the messages of the page are shorter. */
const LONGEST_MESSAGE = 4_096

const server = await attach<ArenaShape>({ local: { ports: { game: 7777 } } })
const match = new ArenaMatch(server)
const sockets = new WebSocketServer({
  port: server.port('game'),
  maxPayload: LONGEST_MESSAGE,
  perMessageDeflate: false,
})
sockets.on('connection', (socket) => match.connect(socket))
sockets.once('listening', async () => {
  await server.ready()
  everyTick(() => match.tick())
  console.log(
    `${server.match?.matchId ?? 'no match'}: ready for ${server.teams.flatMap(({ players }) => players).length}`,
  )
})
