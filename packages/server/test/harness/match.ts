import { connect } from 'node:net'
import type { Api, Body } from './api'
import { until } from './command'

/** Plays a duel in the demo queue. Returns a player's lobby once its game server runs. */
export async function playDuel(call: Api, key: string): Promise<Body> {
  const lobbies: string[] = []
  for (const player of ['ann', 'bob']) {
    const made = await call('POST /v1/lobbies', { key, player, body: { queue_id: 'demo', state: { mmr: 1500 } } })
    if (made.status !== 201) throw new Error(made.text)
    lobbies.push(made.body.lobby_id)
  }
  const demoIsReady = async () => {
    const entered = await call(`POST /v1/lobbies/${lobbies[0]}/queue`, { key, player: 'ann' })
    return entered.status === 200 ? true : undefined
  }
  await until('the queue takes ann', demoIsReady)
  await call(`POST /v1/lobbies/${lobbies[1]}/queue`, { key, player: 'bob' })
  return until('the game server of the duel runs', async () => {
    const { body } = await call(`GET /v1/lobbies/${lobbies[0]}`, { key, player: 'ann' })
    return body.status === 'in_game' && body.server !== null ? body : undefined
  })
}

/** Whether a game server still accepts connections on its TCP port. */
export function takesConnections(lobby: Body): Promise<boolean> {
  const port = lobby.server.network_ports.find((mapping: Body) => mapping.protocol === 'tcp')
  return new Promise((resolve) => {
    const socket = connect(port.external_port, port.host)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
