#!/usr/bin/env node
// A match: answers every datagram with the id of its server. It ends by itself when enough players have greeted it, and
// at the latest after some seconds.
import { createSocket } from 'node:dgram'

const { MATCH_SECONDS, MATCH_PLAYERS, MATCHYARD_INSTANCE_ID = '', PORT_GAME } = process.env
const AFTER_LAST_PLAYER_MS = 1_000
const players = new Set()
const end = () => process.exit(0)

const socket = createSocket('udp4')
socket.on('message', (player, { port, address }) => {
  socket.send(MATCHYARD_INSTANCE_ID, port, address)
  players.add(player.toString())
  if (players.size === Number(MATCH_PLAYERS)) setTimeout(end, AFTER_LAST_PLAYER_MS)
})
socket.bind(Number(PORT_GAME))
process.on('SIGTERM', end)
setTimeout(end, Number(MATCH_SECONDS) * 1_000)
