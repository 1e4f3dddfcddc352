// A process with greedy callers, which call without a pause, and with newcomers after them:
// `node greedy-callers.mjs PORT PATH KEY`. Prints the number of answers to greedy callers from the arrival of the
// newcomers until the last newcomer is answered.
import { connect } from 'node:net'

const [port, path, key] = process.argv.slice(2)
const GREEDY = 200
const NEWCOMERS = 100
/** Number of answers after which the newcomers arrive, so that all greedy callers are active. */
const AT_IT = 2_000
/** Number of answers to greedy callers after which an unanswered newcomer counts as never answered. */
const NEVER = 40_000
const REQUEST = `GET ${path} HTTP/1.1\r\nhost: localhost\r\napi-key: ${key}\r\n\r\n`

let answers = 0
let newcomersAt

function call(answered) {
  const socket = connect(Number(port), '127.0.0.1').setNoDelay(true).setEncoding('latin1')
  socket.on('connect', () => socket.write(REQUEST))
  socket.on('error', () => {})
  socket.on('data', (text) => {
    if (!/^HTTP\/1\.1 200/.test(text)) throw new Error(`not answered: ${text}`)
    answered(socket)
  })
}

function end(result) {
  process.stdout.write(String(result))
  process.exit(0)
}

for (let i = 0; i < GREEDY; i++) {
  call((socket) => {
    answers++
    if (newcomersAt === undefined && answers >= AT_IT) come()
    if (newcomersAt !== undefined && answers - newcomersAt >= NEVER) end('never')
    socket.write(REQUEST)
  })
}

function come() {
  newcomersAt = answers
  let left = NEWCOMERS
  for (let i = 0; i < NEWCOMERS; i++) {
    call(() => {
      if (--left === 0) end(answers - newcomersAt)
    })
  }
}
