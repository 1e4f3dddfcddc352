import { fork } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@matchyard/client'
import { nodeTimers } from '@matchyard/node'
import { type BeaconCounts, openUdpBeacon } from '@matchyard/server/testing'
import { DelayingRelay } from '../src/delaying-relay'

// `npm run bench -- beacon`: CPU of a UDP beacon within its limits and beyond them, and the error of latencies that the
// client measures to machines behind relays with set delays. The beacon and the senders are processes of their own.
const SECONDS = 3
const HOST = '127.0.0.1'
/** Packets that a sender hands to the kernel before it waits for its turn. */
const BATCH = 64
const DELAYS = [5, 20, 60, 120] as const
const MEASUREMENTS = 20

interface Report {
  readonly cpuMs: number
  readonly counts: BeaconCounts
}

/** Role `beacon`: tells its port, and its CPU and counts whenever it is asked. */
async function beacon(): Promise<void> {
  const opened = await openUdpBeacon({ host: HOST, port: 0, clock: { now: () => Date.now() }, timers: nodeTimers() })
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ cpuMs: (user + system) / 1_000, counts: opened.counts() } satisfies Report)
  })
  process.send?.(opened.port)
}

/** Role `sender`: sends this many requests per second from so many addresses; 0 means as many as possible. */
async function sender(port: number, perSecond: number, addresses: number): Promise<void> {
  const sockets = await Promise.all(
    Array.from({ length: addresses }, async (_, n) => {
      const socket = createSocket({ type: 'udp4', lookup: (name, _options, done) => done(null, name, 4) })
      socket.on('message', () => {})
      const address = addresses === 1 ? HOST : `127.1.${n >> 8}.${n & 255}`
      await new Promise<void>((resolve) => socket.bind(0, address, resolve))
      return socket
    }),
  )
  const packet = Buffer.from('MYP1abcdefgh')
  let sent = 0
  process.on('message', () => process.send?.(sent))
  process.send?.('ready')
  const send = () => sockets[sent++ % addresses]?.send(packet, port, HOST, () => {})
  if (perSecond > 0) {
    const everyMs = 10
    setInterval(() => {
      for (let n = 0; n < (perSecond * everyMs) / 1_000; n++) send()
    }, everyMs)
    return
  }
  for (;;) {
    for (let n = 0; n < BATCH; n++) send()
    await new Promise((next) => setImmediate(next))
  }
}

function start(...role: readonly (string | number)[]) {
  const child = fork(fileURLToPath(import.meta.url), role.map(String), { execArgv: process.execArgv })
  const told = async <T>(question?: string): Promise<T> => {
    const answer = once(child, 'message')
    if (question !== undefined) child.send(question)
    return (await answer)[0] as T
  }
  return { child, told }
}

async function cpu(): Promise<void> {
  const { child, told } = start('beacon')
  const port = await told<number>()
  console.log(`\nCPU of the beacon, ${SECONDS} s each`)
  for (const [name, perSecond, addresses] of [
    ['nothing sent', -1, 0],
    ['1,000 requests/s from 200 addresses', 1_000, 200],
    ['2,000 requests/s from 200 addresses', 2_000, 200],
    ['4,000 requests/s from one address', 4_000, 1],
    ['as many as possible from one address', 0, 1],
    ['as many as possible from 500 addresses', 0, 500],
  ] as const) {
    const source = perSecond < 0 ? undefined : start('sender', port, perSecond, addresses)
    await source?.told()
    await wait(500)
    const began = performance.now()
    const [before, sentBefore] = [await told<Report>('report'), await source?.told<number>('sent')]
    await wait(SECONDS * 1_000)
    const [after, sentAfter] = [await told<Report>('report'), await source?.told<number>('sent')]
    const seconds = (performance.now() - began) / 1_000
    source?.child.kill()
    const per = (count: number) => Math.round(count / seconds).toLocaleString('en')
    const counted = (of: keyof BeaconCounts) => per(after.counts[of] - before.counts[of])
    const percent = ((after.cpuMs - before.cpuMs) / (seconds * 10)).toFixed(1)
    console.log(
      `${name.padEnd(40)} ${percent.padStart(5)} % of a core; sent ${per((sentAfter ?? 0) - (sentBefore ?? 0))}/s, answered ${counted('answered')}/s, limited ${counted('limited')}/s, pauses ${counted('pauses')}/s`,
    )
    await wait(1_000)
  }
  child.kill()
}

async function accuracy(): Promise<void> {
  const { child, told } = start('beacon')
  const to = { host: HOST, port: await told<number>() }
  const relays = await Promise.all(DELAYS.map((delayMs) => DelayingRelay.open({ host: HOST, port: 0 }, to, delayMs)))
  const codes = ['fra', 'lhr', 'iad', 'syd'] as const
  const regions = codes.map((region, n) => ({ region, beacons: [{ host: HOST, udp_port: relays[n]?.port }] }))
  const platform = { fetch: (async () => Response.json({ regions })) as typeof fetch }
  const client = createClient({ baseUrl: 'http://localhost', clientKey: 'ck_live_0', player: 'ann', platform })
  const errors = DELAYS.map((): number[] => [])
  for (let n = 0; n < MEASUREMENTS; n++) {
    const latencies = await client.measureRegions()
    for (const [index, code] of codes.entries())
      errors[index]?.push((latencies[code] ?? Number.NaN) - (DELAYS[index] ?? 0))
    // The address of all measurements has a budget of 20 answers per second.
    await wait(1_500)
  }
  console.log(`\nMeasured minus set delay, ${MEASUREMENTS} measurements`)
  for (const [index, delayMs] of DELAYS.entries()) {
    const sorted = [...(errors[index] ?? [])].sort((a, b) => a - b)
    console.log(
      `${String(delayMs).padStart(4)} ms: median ${sorted[sorted.length >> 1]} ms, from ${sorted[0]} to ${sorted.at(-1)} ms`,
    )
  }
  for (const relay of relays) relay.close()
  child.kill()
}

const [role, ...words] = process.argv.slice(2)
if (role === 'beacon') await beacon()
else if (role === 'sender') await sender(...(words.map(Number) as [number, number, number]))
else {
  await cpu()
  await accuracy()
  process.exit(0)
}
