import { connect, type Socket } from 'node:net'
import type { Load } from '../load'
import { LOBBY_QUEUE } from './lobbies'

/** The account that `matchyard dev` creates. */
const DEMO_EMAIL = 'demo@matchyard.local'
const GREEDY_CALLERS = 2
const GREEDY_EVERY_MS = 50
const STALLED_CONNECTIONS = 20
const STALLED_FOR_MS = 15_000
const PIPELINE_EVERY_MS = 2_000
const PIPELINED = 500
/** Milliseconds after which a pipelining connection is given up. The service may close it earlier. */
const PIPELINE_FOR_MS = 10_000
const GUESS_EVERY_MS = 500
/**
 * Whether a stranger may get this status: everything except a failure of the service. 503 is allowed, because a call
 * that the service sheds gets 503 with a Retry-After.
 */
const isExpected = (status: number) => status < 500 || status === 503

/**
 * Runs strangers who take more than their share: greedy, stalled, pipelining and guessing callers, at a constant load.
 */
export const playStrangers = (load: Load): Promise<void>[] => [
  ...Array.from({ length: GREEDY_CALLERS }, () => greedy(load)),
  ...Array.from({ length: STALLED_CONNECTIONS }, (_, index) => stalled(load, index)),
  pipelining(load),
  guessing(load),
]

/** Requests long lists and explanations repeatedly, with the client key that each game contains. */
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

/** Requests something large, or the stream of a lobby, and reads nothing of the answer. */
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

/** Sends 500 calls on one connection before reading an answer. */
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

/** Tries invented passwords, keys, invite codes and ids. */
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

/** Waits until the connection is closed, at most `ms` milliseconds, and closes it. */
async function lasts(load: Load, socket: Socket, ms: number): Promise<void> {
  const until = performance.now() + ms
  while (!socket.closed && load.going && performance.now() < until) await load.pause(250)
  socket.destroy()
}
