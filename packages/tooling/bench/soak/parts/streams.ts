import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Load } from '../load'
import { LOBBY_QUEUE } from './lobbies'

/** Bytes of state in each change of the watched lobby. */
export const STATE_BYTES = 2_000
const CHANGE_EVERY_MS = 400
const READERS = 12
const STALLED = 8
const RESTLESS = 4

/**
 * Runs one lobby that changes all the time, with three kinds of readers: patient ones, ones that never read, and ones
 * that reconnect often.
 */
export async function playStreams(load: Load): Promise<void> {
  const player = 'streamer'
  const made = await load.call<{ lobby_id: string }>({
    method: 'POST',
    path: '/v1/lobbies',
    player,
    body: { queue_id: LOBBY_QUEUE },
  })
  const path = `/v1/lobbies/${made.body.lobby_id}`
  const changing = load.repeat(CHANGE_EVERY_MS, async (turn) => {
    const state = { mmr: turn % 3_000, text: 'x'.repeat(STATE_BYTES) }
    await load.call({ method: 'PATCH', path: `${path}/players/${player}`, player, body: { state } })
  })
  const times = (count: number, reader: (load: Load, path: string) => Promise<void>) =>
    Array.from({ length: count }, () => reader(load, path))
  await Promise.all([changing, ...times(READERS, patient), ...times(STALLED, stalled), ...times(RESTLESS, restless)])
  await load.call({ method: 'DELETE', path, player })
}

/** Reads until the connection is closed, at most 30 s, and starts again. */
const patient = (load: Load, path: string) =>
  load.repeat(1_000, async () => {
    const stream = await open(load, path)
    stream.body.resume()
    await lasts(load, stream, 30_000)
  })

/** Requests all events since the first one, and reads none of them. */
const stalled = (load: Load, path: string) =>
  load.repeat(1_000, async () => {
    const stream = await open(load, path, '1')
    stream.body.pause()
    await lasts(load, stream, 20_000)
  })

/** Reads for 2 s, closes the connection, and resumes from the last event. */
const restless = (load: Load, path: string) => {
  let last: string | undefined
  return load.repeat(500, async () => {
    const stream = await open(load, path, last)
    stream.body.setEncoding('utf8')
    stream.body.on('data', (text: string) => {
      last = [...text.matchAll(/^id: ?(\d+)$/gm)].at(-1)?.[1] ?? last
    })
    await lasts(load, stream, 2_000)
  })
}

interface Stream {
  readonly sent: ClientRequest
  readonly body: IncomingMessage
}

export function open(load: Load, path: string, lastEventId?: string): Promise<Stream> {
  load.count('streams')
  const headers = {
    'api-key': load.serverKey,
    'x-player-id': 'streamer',
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  }
  return new Promise((resolve, reject) => {
    const sent = request(new URL(`${path}/events`, load.world.baseUrl), { headers, agent: false }, (body) => {
      body.on('error', () => {})
      resolve({ sent, body })
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Waits until the stream has ended, at most `ms` milliseconds, and closes it. */
async function lasts(load: Load, { sent, body }: Stream, ms: number): Promise<void> {
  let isOver = false
  body.once('close', () => {
    isOver = true
  })
  const until = performance.now() + ms
  while (!isOver && load.going && performance.now() < until) await load.pause(250)
  sent.destroy()
}
