#!/usr/bin/env node
// A short match: answers every datagram with the id of its server, and ends by itself after some seconds.
import { createSocket } from 'node:dgram'

const socket = createSocket('udp4')
socket.on('message', (_, { port, address }) => socket.send(process.env.MATCHYARD_INSTANCE_ID ?? '', port, address))
socket.bind(Number(process.env.PORT_GAME))
process.on('SIGTERM', () => process.exit(0))
setTimeout(() => process.exit(0), Number(process.env.MATCH_SECONDS) * 1_000)
