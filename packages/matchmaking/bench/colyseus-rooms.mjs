// Colyseus server with which `npm run bench -- service` compares the service, in a process of its own. It opens a number of rooms. Players
// join in process on command, and over HTTP through Colyseus' own router. Everything is in memory; no room has a socket, so nothing is
// broadcast.
import { createServer } from 'node:http'
import { LocalDriver, LocalPresence, matchMaker, Room } from '@colyseus/core'
import { getDefaultRouter } from '@colyseus/core/router/default_routes'
import { toNodeHandler } from '@colyseus/core/router/index'
import { setTransport } from '@colyseus/core/Transport'

const SEATS = 4

class Duel extends Room {
  maxClients = SEATS
  autoDispose = false
  seatReservationTimeout = 3_600
}

// Colyseus only asks the transport for its protocol name, and this one has none.
setTransport({})
await matchMaker.setup(new LocalPresence(), new LocalDriver(), undefined)
await matchMaker.accept()
matchMaker.defineRoomType('duel', Duel)

const open = async (rooms) => {
  for (let n = 0; n < rooms; n++) await matchMaker.create('duel', {})
}

const join = async (joins) => {
  const [startedAt, before] = [performance.now(), process.cpuUsage()]
  for (let n = 0; n < joins; n++) await matchMaker.joinOrCreate('duel', { mmr: 1_500 })
  const { user, system } = process.cpuUsage(before)
  return { seconds: (performance.now() - startedAt) / 1_000, cpuMicros: user + system }
}

process.on('message', async ({ rooms, joins }) => {
  if (rooms !== undefined) process.send({ opened: await open(rooms) })
  if (joins !== undefined) process.send(await join(joins))
})

const server = createServer(toNodeHandler(getDefaultRouter().handler))
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
