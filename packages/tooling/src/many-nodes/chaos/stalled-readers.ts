import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { SEATS_QUEUE } from './seats'
import type { ChaosWorld } from './world'

const READERS = 8
const CHANGES = 40
/** A player state close to the limit of 16 kB for a free-form object, so that events are large. */
const STATE = 'x'.repeat(15_000)
const STALLED_MS = 3_000

/** Opens streams of a lobby that changes often, and never reads from these streams. */
export async function stallReaders(world: ChaosWorld): Promise<void> {
  while (world.loading) {
    const lobbyId = await world.makeLobby('stan', SEATS_QUEUE)
    const { baseUrl } = await world.node()
    const sockets = Array.from({ length: READERS }, () => neverRead(world, new URL(baseUrl), lobbyId))
    for (let n = 0; n < CHANGES && world.loading; n++) {
      const body = { state: { n, filler: STATE } }
      await world.attempt({ method: 'PATCH', path: `/v1/lobbies/${lobbyId}/players/stan`, player: 'stan', body })
    }
    await wait(STALLED_MS)
    for (const socket of sockets) socket.destroy()
    await world.attempt({ method: 'DELETE', path: `/v1/lobbies/${lobbyId}`, key: world.cluster.serverKey })
  }
}

function neverRead(world: ChaosWorld, { hostname, port }: URL, lobbyId: string): Socket {
  const head = [
    `GET /v1/lobbies/${lobbyId}/events HTTP/1.1`,
    `host: ${hostname}`,
    `api-key: ${world.cluster.clientKey}`,
    'x-player-id: stan',
  ]
  const socket = connect(Number(port), hostname)
  // An error of the socket is expected: its node may be killed while the socket is open.
  socket.on('error', () => {})
  socket.pause()
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  world.count('readers stalled')
  return socket
}
