import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { HarmFigure } from './row'
import type { Figures, HarmWorld } from './world'

const SENDER = new URL('./raw-sender.mjs', import.meta.url)
/** Between two calls of the caller whose answers are timed. */
const CALL_EVERY_MS = 20

export interface RawAttack {
  readonly connections: number
  /** Sent again and again on each connection, until so many bytes are on their way. */
  readonly requests: string
  readonly bytes: number
  /** Whether what comes back is read. */
  readonly reads: boolean
  /** Whether a connection that was closed is opened again. */
  readonly opensAgain?: boolean
}

export interface Sent {
  /** Bytes that the service, or the kernels between, took. */
  readonly sent: number
  readonly received: number
  /** Connections that the service closed, and that were still open at the end. */
  readonly closed: number
  readonly open: number
}

export interface Side extends Figures {
  /** Of a caller who reads the projects all the while: 99 of 100 answers took no longer. */
  readonly p99: number
  readonly sent: Sent
}

/** Runs an attack for so long, with a caller beside it. Without an attack nothing but the caller. */
export async function besideOthers(world: HarmWorld, ms: number, attack?: RawAttack): Promise<Side> {
  const { hostname, port } = new URL(world.baseUrl)
  let sent: Sent = { sent: 0, received: 0, closed: 0, open: 0 }
  let p99 = 0
  const figures = await world.watch(async () => {
    const sender = attack && new Worker(SENDER, { workerData: { host: hostname, port: Number(port), ...attack } })
    p99 = await callFor(world, ms)
    if (sender === undefined) return
    sender.postMessage('over')
    const [told] = (await once(sender, 'message')) as [Sent]
    sent = told
    await once(sender, 'exit')
  })
  return { ...figures, p99, sent }
}

async function callFor(world: HarmWorld, ms: number): Promise<number> {
  const client = world.client(world.credentials.server_key)
  const took: number[] = []
  const until = performance.now() + ms
  while (performance.now() < until) {
    const startedAt = performance.now()
    const left = until - startedAt + 10_000
    await Promise.race([
      client.call({ method: 'GET', path: '/v1/queues' }).catch(() => undefined),
      pause(left, undefined, { ref: false }),
    ])
    took.push(performance.now() - startedAt)
    await pause(CALL_EVERY_MS)
  }
  client.close()
  took.sort((a, b) => a - b)
  return took[Math.floor(took.length * 0.99)] ?? 0
}

/** The figures that each attack on the front door is judged by. */
export const doorFigures = (name: string, quiet: Side, attacked: Side): readonly HarmFigure[] => [
  { what: `${name}: /livez, longest`, unit: 'ms', quiet: quiet.livezMs.max, attacked: attacked.livezMs.max },
  { what: `${name}: another's calls, p99`, unit: 'ms', quiet: quiet.p99, attacked: attacked.p99 },
  { what: `${name}: memory, most`, unit: 'MB', quiet: quiet.memoryMb.peak, attacked: attacked.memoryMb.peak },
  { what: `${name}: bytes taken`, unit: 'MB', quiet: 0, attacked: attacked.sent.sent / 1e6 },
  { what: `${name}: connections closed`, unit: '', quiet: 0, attacked: attacked.sent.closed },
]
