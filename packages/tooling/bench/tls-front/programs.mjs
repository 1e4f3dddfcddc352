// Programs of the benchmark, each in a process of its own: `game`, `plain` (a plain proxy) and `players`.
import { connect as connectTcp, createServer } from 'node:net'
import { connect as connectTls } from 'node:tls'

const [program, ...given] = process.argv.slice(2)

/** Echoes every byte. */
function game() {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {})
    socket.pipe(socket)
  })
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
}

/** Passes connections on as the front does, without TLS. */
function plain(inner) {
  const server = createServer({ noDelay: true }, (outer) => {
    const socket = connectTcp({ port: Number(inner), host: '127.0.0.1', noDelay: true })
    for (const one of [outer, socket]) one.on('error', () => {})
    outer.pipe(socket)
    socket.pipe(outer)
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 }, () => process.send({ port: server.address().port }))
}

/** Opens connections, and sends messages of 100 bytes at a steady rate for some seconds at each request. */
async function players(port, count, perSecond, ca) {
  const target = { port: Number(port), host: '127.0.0.1' }
  const open = () =>
    new Promise((resolve, reject) => {
      const socket =
        ca === ''
          ? connectTcp(target, () => resolve(socket))
          : connectTls({ ...target, ca, servername: 'localhost' }, () => resolve(socket))
      socket.once('error', reject)
      socket.setNoDelay(true)
    })
  const sockets = []
  while (sockets.length < Number(count)) sockets.push(...(await Promise.all(Array.from({ length: 50 }, open))))
  const message = Buffer.alloc(100, 'x')
  const sentAt = new Map()
  let trips = []
  for (const socket of sockets) {
    let left = 0
    socket.on('data', (chunk) => {
      left += chunk.length
      if (left < message.length) return
      left -= message.length
      trips.push(performance.now() - sentAt.get(socket))
      sentAt.delete(socket)
    })
  }
  process.on('message', async ({ seconds }) => {
    trips = []
    const tickMs = 5
    const perTick = (Number(perSecond) * tickMs) / 1_000
    let due = 0
    let next = 0
    const timer = setInterval(() => {
      for (due += perTick; due >= 1; due--) {
        const socket = sockets[next++ % sockets.length]
        if (sentAt.has(socket)) continue
        sentAt.set(socket, performance.now())
        socket.write(message)
      }
    }, tickMs)
    setTimeout(() => {
      clearInterval(timer)
      trips.sort((a, b) => a - b)
      const at = (share) => trips[Math.floor(trips.length * share)]
      process.send({ messages: trips.length, p50: at(0.5), p99: at(0.99) })
    }, seconds * 1_000)
  })
  process.send({ open: sockets.length })
}

await { game, plain, players }[program](...given)
