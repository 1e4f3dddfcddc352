import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { HarmFigure } from './row'
import type { Figures, HarmWorld } from './world'

const SENDER = new URL('./raw-sender.mjs', import.meta.url)
/** Milliseconds between two calls of the timed caller. */
const CALL_EVERY_MS = 20

export interface RawAttack {
  readonly connections: number
  /** Requests that are sent repeatedly on each connection, until `bytes` are written. */
  readonly requests: string
  readonly bytes: number
  /** Whether the attacker reads the answers. */
  readonly reads: boolean
  /** Whether the attacker replaces a connection that was closed. */
  readonly opensAgain?: boolean
}

export interface Sent {
  /** Bytes accepted by the service or by the kernel's buffers. */
  readonly sent: number
  readonly received: number
  /** Connections that the service closed; `open` are those still open at the end. */
  readonly closed: number
  readonly open: number
}

export interface Side extends Figures {
  /** Milliseconds: p99 of the calls of a caller that lists the projects during the attack. */
  readonly p99: number
  readonly sent: Sent
}

/**
 * Runs an attack for `ms` milliseconds, with a timed caller at the same time. Without an attack only the caller runs.
 */
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

/** Returns the figures by which each attack on the HTTP server is judged. */
export const doorFigures = (name: string, quiet: Side, attacked: Side): readonly HarmFigure[] => [
  { what: `${name}: /livez, longest`, unit: 'ms', quiet: quiet.livezMs.max, attacked: attacked.livezMs.max },
  { what: `${name}: another's calls, p99`, unit: 'ms', quiet: quiet.p99, attacked: attacked.p99 },
  { what: `${name}: memory, most`, unit: 'MB', quiet: quiet.memoryMb.peak, attacked: attacked.memoryMb.peak },
  { what: `${name}: bytes taken`, unit: 'MB', quiet: 0, attacked: attacked.sent.sent / 1e6 },
  { what: `${name}: connections closed`, unit: '', quiet: 0, attacked: attacked.sent.closed },
]
