import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createAdmin } from '@matchyard/client/admin'
import { freePort } from '@matchyard/server/testing'
import { embeddedService } from '../embedded-service'
import { startCluster } from '../many-nodes/cluster'
import { ServiceProcess } from '../service-process'
import { FaultProxy } from './fault-proxy'
import type { Ground } from './sequence'

const QUEUE = 'solo'
/** A killed service has at most so long until it is killed again, and as long as it took to come back: on a busy machine that is longer. */
const UP_FOR_MS = 3_000

/** A service, and what can happen to it while players are at it. */
export interface ProofGround extends Ground {
  /** Kills a process of it, and starts it again. Absent: this one stands. */
  readonly kill?: () => Promise<void>
  stop(): Promise<void>
}

/** Returns a service that keeps running: all faults are on the network. */
export async function steadyGround(): Promise<ProofGround> {
  const { service, clientKey, serverKey, stop } = await embeddedService()
  const ground = { baseUrl: service.baseUrl, clientKey, serverKey, queueId: QUEUE, stop }
  await makeQueue(ground)
  return ground
}

/** A process of its own on a SQLite file, which is killed and started again at the same address. */
export async function killedGround(): Promise<ProofGround> {
  const folder = mkdtempSync(join(tmpdir(), 'matchyard-killed-'))
  const port = await freePort()
  let process = await ServiceProcess.start(folder, port)
  const { base_url: baseUrl, client_key: clientKey, server_key: serverKey } = process.credentials
  const ground: ProofGround = {
    baseUrl,
    clientKey,
    serverKey,
    queueId: QUEUE,
    async kill() {
      await process.end('SIGKILL')
      process = await ServiceProcess.start(folder, port)
    },
    async stop() {
      await process.end('SIGKILL')
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    },
  }
  await makeQueue(ground)
  return ground
}

/** Two nodes on one PostgreSQL behind a balancer, which sends nobody to a node that is dead. One or the other is killed. */
export async function clusterGround(chance: () => number): Promise<ProofGround> {
  const cluster = await startCluster(2)
  let turn = 0
  const balancer = await FaultProxy.start(() => {
    const up = cluster.nodes.filter(({ isUp }) => isUp)
    return Number(new URL((up[turn++ % up.length] ?? cluster.node(0)).baseUrl).port)
  })
  const { clientKey, serverKey } = cluster
  const ground: ProofGround = {
    baseUrl: balancer.url,
    clientKey,
    serverKey,
    queueId: QUEUE,
    async kill() {
      const node = cluster.node(chance() < 0.5 ? 0 : 1)
      await node.end('SIGKILL')
      await node.start()
    },
    async stop() {
      await balancer.stop()
      await cluster.stop()
    },
  }
  await makeQueue(ground)
  return ground
}

/** Kills the ground's process again and again, once at least, until the work is over; answers how often. */
export async function whileKilling(
  { kill }: ProofGround,
  chance: () => number,
  work: Promise<unknown>,
): Promise<number> {
  let kills = 0
  if (kill !== undefined) {
    let isOver = false
    const over = () => {
      isOver = true
    }
    work.then(over, over)
    let tookMs = 0
    do {
      await wait(tookMs + chance() * UP_FOR_MS)
      const began = performance.now()
      await kill()
      tookMs = performance.now() - began
      kills++
    } while (!isOver)
  }
  await work
  return kills
}

async function makeQueue({ baseUrl, serverKey }: Ground): Promise<void> {
  const matchmaking = { teams: 1, players_per_team: 1 }
  await createAdmin({ baseUrl, serverKey }).queues.create({ queue_id: QUEUE, name: 'Solo', matchmaking })
}
