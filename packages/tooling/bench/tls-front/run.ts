import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeCertificate } from '@matchyard/orchestrator/process/testing'
import { freePort } from '@matchyard/server/testing'

/**
 * `npm run bench -- tls-front`: the TLS front of a game server against a plain proxy, with 1,000 connections each, in
 * one run. Prints the processor time for each message, and the times of a round trip.
 */
const CONNECTIONS = 1_000
const PER_SECOND = 4_000
const SECONDS = 8
const ROUNDS = 5
/** Hundredths of a second, the unit of the kernel's counters. */
const TICKS_PER_SECOND = 100

const PROGRAMS = fileURLToPath(new URL('./programs.mjs', import.meta.url))
const FRONT = fileURLToPath(new URL('../../../orchestrator/supervisor/front/main.mjs', import.meta.url))

const children: ChildProcess[] = []

async function start(program: string, args: readonly string[]): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(program, args, { execArgv: ['--max-old-space-size=128', '--max-semi-space-size=2'] })
  children.push(child)
  const [message] = await once(child, 'message')
  return { child, port: message.port }
}

/** Returns the processor seconds that a process has used, and its memory in megabytes. */
function usedBy({ pid }: ChildProcess): { cpu: number; mb: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const cpu = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return { cpu, mb: Number(resident) / 1_024 }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

const folder = mkdtempSync(join(tmpdir(), 'tls-front-'))
try {
  const certificate = await writeCertificate(folder, 'machine')
  const game = await start(PROGRAMS, ['game'])
  const plain = await start(PROGRAMS, ['plain', String(game.port)])
  const [port, plan] = [await freePort(), join(folder, 'front.json')]
  writeFileSync(plan, JSON.stringify({ ports: [{ port, inner: game.port }], certificate }))
  const front = await start(FRONT, [plan])
  const ways = [
    { name: 'direct', proxy: undefined, port: game.port, ca: '' },
    { name: 'plain proxy', proxy: plain.child, port: plain.port, ca: '' },
    { name: 'TLS front', proxy: front.child, port, ca: certificate.ca },
  ]
  const seen = new Map(
    ways.map(({ name }) => [name, { cpu: [] as number[], p50: [] as number[], p99: [] as number[] }]),
  )
  const players = new Map<string, ChildProcess>()
  for (const { name, port: to, ca } of ways) {
    const { child } = await start(PROGRAMS, ['players', String(to), String(CONNECTIONS), String(PER_SECOND), ca])
    players.set(name, child)
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, proxy } of ways) {
      const child = players.get(name) as ChildProcess
      const before = proxy === undefined ? 0 : usedBy(proxy).cpu
      child.send({ seconds: SECONDS })
      const [{ messages, p50, p99 }] = await once(child, 'message')
      const cpu = proxy === undefined ? 0 : usedBy(proxy).cpu - before
      const figures = seen.get(name)
      figures?.cpu.push((cpu / messages) * 1e6)
      figures?.p50.push(p50)
      figures?.p99.push(p99)
    }
  }
  for (const { name, proxy } of ways) {
    const { cpu = [], p50 = [], p99 = [] } = seen.get(name) ?? {}
    const used =
      proxy === undefined ? '' : `; CPU ${median(cpu).toFixed(1)} µs a message, ${usedBy(proxy).mb.toFixed(0)} MB`
    console.log(`${name}: round trip p50 ${median(p50).toFixed(2)} ms, p99 ${median(p99).toFixed(2)} ms${used}`)
  }
  const [ofPlain = [], ofFront = []] = ['plain proxy', 'TLS front'].map((name) => seen.get(name)?.cpu)
  const added = median(seen.get('TLS front')?.p99 ?? []) - median(seen.get('plain proxy')?.p99 ?? [])
  console.log(
    `ratio by CPU, plain proxy to TLS front: ${(median(ofPlain) / median(ofFront)).toFixed(2)} (target: at least 0.6)`,
  )
  console.log(`p99 that TLS adds to the plain proxy: ${added.toFixed(2)} ms (target: at most 1)`)
} finally {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
}
