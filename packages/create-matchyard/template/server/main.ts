import { attach } from '@matchyard/client/game-server'
import { type WebSocket, WebSocketServer } from 'ws'
import { readMessage } from '../game/messages'
import { Round } from '../game/round'

/** The game server. Matchyard starts one for each match. */

/** Milliseconds for which a disconnected player may come back. */
const AWAY_MS = 10_000

// `local` replaces the configuration when Matchyard did not start this process: `npx tsx server/main.ts`.
const server = await attach({ local: { ports: { game: 7777 }, teams: [{ name: 'all', players: ['ann', 'bob'] }] } })
const round = new Round(server.teams.flatMap(({ players }) => players).length)
const sockets = new Map<string, WebSocket>()

const listening = new WebSocketServer({ port: server.port('game'), maxPayload: 4_096 })
listening.on('connection', (socket) => {
  let player: string | undefined
  socket.on('error', () => socket.terminate())
  socket.on('message', (data) => {
    const message = readMessage(String(data))
    if (message?.type === 'join') player = letIn(socket, message.token, message.name)
    if (message?.type === 'catch' && player !== undefined && round.catch(player, message.n)) tellAll()
  })
  socket.on('close', () => {
    if (player !== undefined && sockets.get(player) === socket) setTimeout(giveUp, AWAY_MS, player, socket)
  })
})
listening.once('listening', () => server.ready())
server.on('stopping', () => {
  for (const socket of sockets.values()) socket.close()
})

/** The join token names the player; connections without a valid token are refused. */
function letIn(socket: WebSocket, token: string, name: string): string | undefined {
  const who = server.verify(token)
  if (!who.ok) {
    socket.close(4_001, who.reason)
    return undefined
  }
  const before = sockets.get(who.playerId)
  sockets.set(who.playerId, socket)
  before?.close(4_000, 'you play in another window')
  round.join(who.playerId, name)
  tellAll()
  return who.playerId
}

function giveUp(player: string, socket: WebSocket): void {
  if (sockets.get(player) !== socket) return
  sockets.delete(player)
  round.leave(player)
  void server.playerLeft(player)
  tellAll()
}

function tellAll(): void {
  const text = JSON.stringify(round.standing)
  const told = [...sockets.values()].map((socket) => new Promise((done) => socket.send(text, done)))
  // The last message is sent before the process ends.
  if (round.standing.winner !== null || sockets.size === 0) void Promise.all(told).then(() => server.shutdown())
}
