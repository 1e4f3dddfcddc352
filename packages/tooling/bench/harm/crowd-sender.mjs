// Callers without pauses: each sends its next call when the one before is answered. A thread of their own, so that
// other work does not delay them.

import { connect } from 'node:net'
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'

const { port, callers, seconds, key, forged, lobby, isAttacker } = workerData
// A real attacker has another machine. With low priority this thread uses only CPU time that the service leaves. On
// Linux the priority applies to this thread alone.
if (isAttacker && process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

const HEAD_END = '\r\n\r\n'
const BODY = JSON.stringify({ queue_id: 'demo' })
const took = []
let [refused, other, sent] = [0, 0, 0]
const endsAt = performance.now() + seconds * 1_000

/**
 * Returns the text of a request: half of the calls create a lobby, half read one. With `forged`, each request has
 * another invented key.
 */
function request(number) {
  const credential = forged ? `ck_live_${String(Math.random()).slice(2).padEnd(20, '0')}` : key
  const head = `host: localhost\r\n${credential ? `api-key: ${credential}\r\n` : ''}x-player-id: player-${number % 1_000}\r\n`
  if (number % 2 === 0) return `GET /v1/lobbies/${lobby} HTTP/1.1\r\n${head}\r\n`
  return `POST /v1/lobbies HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`
}

function caller() {
  return new Promise((over) => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true).setEncoding('latin1')
    let [pending, sentAt] = ['', 0]
    const call = () => {
      sentAt = performance.now()
      if (sentAt >= endsAt) return void socket.end()
      socket.write(request(sent++))
    }
    socket.on('connect', call)
    socket.on('data', (chunk) => {
      pending += chunk
      const head = pending.indexOf(HEAD_END)
      if (head < 0) return
      const length = Number(/content-length: (\d+)/i.exec(pending)?.[1] ?? 0)
      if (pending.length < head + HEAD_END.length + length) return
      const status = Number(pending.slice(9, 12))
      pending = ''
      if (status < 300) took.push(performance.now() - sentAt)
      else if (status === 503) refused++
      else other++
      call()
    })
    socket.on('error', () => {})
    socket.on('close', over)
  })
}

await Promise.all(Array.from({ length: callers }, caller))
took.sort((a, b) => a - b)
const at = (share) => took[Math.floor(took.length * share)] ?? 0
parentPort.postMessage({
  perSecond: took.length / seconds,
  p50: at(0.5),
  p99: at(0.99),
  refused: refused / seconds,
  other: other / seconds,
})
