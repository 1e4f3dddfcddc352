// Opens connections and sends bytes on them, from a thread of its own, so that the attack does not slow the
// measurement.
import { connect } from 'node:net'
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'

// A real attacker has another machine. With low priority this thread uses only CPU time that the service leaves. On
// Linux the priority applies to this thread alone.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

/** On each connection `requests` is sent repeatedly until `bytes` are written; with `reads` the answers are read. */
const { port, host, connections, requests, bytes, reads, opensAgain } = workerData
const CHUNK_BYTES = 1024 * 1024
const once = Buffer.from(requests)
const many = Buffer.concat(Array.from({ length: Math.ceil(CHUNK_BYTES / once.length) }, () => once))

const seen = { sent: 0, closed: 0, received: 0 }
const sockets = new Set()
let over = false

function open() {
  const socket = connect({ port, host })
  sockets.add(socket)
  let left = Math.ceil(bytes / once.length) * once.length
  if (reads)
    socket.on('data', (data) => {
      seen.received += data.length
    })
  else socket.pause()
  const push = () => {
    while (left > 0 && !socket.destroyed) {
      const part = many.subarray(0, Math.min(left, many.length - (many.length % once.length)))
      left -= part.length
      seen.sent += part.length
      if (!socket.write(part)) return
    }
  }
  socket.on('connect', push)
  socket.on('drain', push)
  socket.on('error', () => {})
  socket.on('close', () => {
    seen.closed++
    sockets.delete(socket)
    if (opensAgain && !over) setTimeout(open, 10)
  })
}
for (let n = 0; n < connections; n++) open()
// A sender that reads nothing notices a closed connection only when it writes. HTTP servers ignore an empty line before
// a request.
const knocking = reads
  ? undefined
  : setInterval(() => {
      for (const socket of sockets) if (socket.writableLength === 0) socket.write('\r\n')
    }, 1_000)

parentPort.once('message', () => {
  over = true
  clearInterval(knocking)
  let open = 0
  for (const socket of sockets) {
    open++
    seen.sent -= socket.writableLength
    socket.destroy()
  }
  parentPort.postMessage({ ...seen, open })
  parentPort.close()
})
