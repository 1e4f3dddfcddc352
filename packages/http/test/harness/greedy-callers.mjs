// A process of callers that never rest, and of newcomers after them: `node greedy-callers.mjs PORT PATH KEY`. Prints how many answers the greedy
// were given between the moment the newcomers came and the moment the last of them was answered.
import { connect } from 'node:net'

const [port, path, key] = process.argv.slice(2)
const GREEDY = 200
const NEWCOMERS = 100
/** Newcomers come when so many were answered, so that the greedy are at it. */
const AT_IT = 2_000
/** A newcomer who is not answered while the greedy are so often is not answered at all. */
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
