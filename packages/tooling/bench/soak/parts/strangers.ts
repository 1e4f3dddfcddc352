import { connect, type Socket } from 'node:net'
import type { Load } from '../load'
import { LOBBY_QUEUE } from './lobbies'

/** The account that `matchyard dev` makes. */
const DEMO_EMAIL = 'demo@matchyard.local'
const GREEDY_CALLERS = 2
const GREEDY_EVERY_MS = 50
const STALLED_CONNECTIONS = 20
const STALLED_FOR_MS = 15_000
const PIPELINE_EVERY_MS = 2_000
const PIPELINED = 500
/** A connection that pipelines is given up after so long; the service may have closed it earlier. */
const PIPELINE_FOR_MS = 10_000
const GUESS_EVERY_MS = 500
/** Answers that a stranger may get: all but a failure of the service. A call that is shed is 503 and says when to come again. */
const isExpected = (status: number) => status < 500 || status === 503

/** Guests who take more than their share: greedy, stalled, pipelining and guessing ones, at a load that stays the same. */
export const playStrangers = (load: Load): Promise<void>[] => [
  ...Array.from({ length: GREEDY_CALLERS }, () => greedy(load)),
  ...Array.from({ length: STALLED_CONNECTIONS }, (_, index) => stalled(load, index)),
  pipelining(load),
  guessing(load),
]

/** Asks for long lists and explanations again and again, with the key that is in every game. */
const greedy = (load: Load): Promise<void> =>
  load.repeat(GREEDY_EVERY_MS, async (turn) => {
    const path = GREEDY_PATHS[turn % GREEDY_PATHS.length] ?? '/v1/lobbies'
    await visit(load, path, { headers: { 'api-key': load.clientKey, 'x-player-id': `greedy-${turn % 1_000}` } })
    load.count('greedy calls')
  })

const GREEDY_PATHS = [
  '/v1/lobbies?limit=100',
  '/v1/players/me/lobbies',
  '/openapi.json',
  '/v1/lobbies?limit=1&offset=9',
]

/** Asks for something large, or for a lobby's stream, and reads nothing of the answer. */
const stalled = (load: Load, index: number): Promise<void> =>
  load.repeat(1_000, async () => {
    const socket = opened(load)
    socket.pause()
    const path = STALLED_PATHS[index % STALLED_PATHS.length] ?? '/reference'
    socket.write(`GET ${path} HTTP/1.1\r\nhost: soak\r\n\r\n`.repeat(1 + (index % 4)))
    await lasts(load, socket, STALLED_FOR_MS)
    load.count('stalled connections')
  })

const STALLED_PATHS = ['/reference?asset=standalone.js', '/openapi.json', '/reference', '/console/', '/v1/lobbies']

/** Sends hundreds of calls on one connection before it reads an answer. */
const pipelining = (load: Load): Promise<void> =>
  load.repeat(PIPELINE_EVERY_MS, async () => {
    const socket = opened(load)
    let answers = 0
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      answers += text.split('HTTP/1.1 ').length - 1
      if (answers >= PIPELINED) socket.end()
    })
    socket.write(`GET /v1/lobbies HTTP/1.1\r\nhost: soak\r\n\r\n`.repeat(PIPELINED))
    await lasts(load, socket, PIPELINE_FOR_MS)
    load.count('pipelines')
  })

/** Tries passwords, keys, invite codes and ids that it does not have. */
const guessing = (load: Load): Promise<void> =>
  load.repeat(GUESS_EVERY_MS, async (turn) => {
    const headers = { 'content-type': 'application/json' }
    const password = `not the password ${turn}`
    await visit(load, '/v1/auth/login', {
      method: 'POST',
      headers,
      body: JSON.stringify({ email: DEMO_EMAIL, password }),
    })
    const asPlayer = { ...headers, 'api-key': load.clientKey, 'x-player-id': `guesser-${turn}` }
    const code = JSON.stringify({ invite_code: turn.toString(36).toUpperCase().padStart(6, 'Q') })
    await visit(load, '/v1/lobbies/join', { method: 'POST', headers: asPlayer, body: code })
    await visit(load, `/v1/lobbies/lob_${'0'.repeat(20)}${String(turn).padStart(6, '0')}`, { headers: asPlayer })
    await visit(load, `/v1/lobbies?queue_id=${LOBBY_QUEUE}`, { headers: { 'api-key': `ck_live_${turn}` } })
    load.count('guesses')
  })

async function visit(load: Load, path: string, init: RequestInit): Promise<void> {
  load.calls++
  const answer = await fetch(`${load.world.baseUrl}${path}`, init)
  await answer.arrayBuffer()
  if (!isExpected(answer.status)) load.astonished(`a stranger's ${path} was answered ${answer.status}`)
}

function opened(load: Load): Socket {
  const { hostname, port } = new URL(load.world.baseUrl)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  return socket
}

/** Waits until the connection is closed, for so long at the most, and closes it. */
async function lasts(load: Load, socket: Socket, ms: number): Promise<void> {
  const until = performance.now() + ms
  while (!socket.closed && load.going && performance.now() < until) await load.pause(250)
  socket.destroy()
}
