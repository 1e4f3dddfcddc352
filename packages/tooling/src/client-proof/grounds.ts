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
/**
 * The longest random part of the time between two kills of the service, in milliseconds. The duration of the last
 * restart is added, because restarts take longer on a busy machine.
 */
const UP_FOR_MS = 3_000

/** A service for the tests of the client, and the faults that the tests can cause while players use the service. */
export interface ProofGround extends Ground {
  /** Kills a process of the service and starts it again. Absent when the tests must not restart the service. */
  readonly kill?: () => Promise<void>
  stop(): Promise<void>
}

/** Starts a service that is never killed: all faults are faults of the network. */
export async function steadyGround(): Promise<ProofGround> {
  const { service, clientKey, serverKey, stop } = await embeddedService()
  const ground = { baseUrl: service.baseUrl, clientKey, serverKey, queueId: QUEUE, stop }
  await makeQueue(ground)
  return ground
}

/**
 * Starts a service on a SQLite file. The test can kill its process, and the process is then started again at the same
 * address.
 */
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

/**
 * Starts two nodes on one PostgreSQL behind a balancer that sends no calls to dead nodes. Each kill ends a random node.
 */
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

/** Kills the service again and again until the work is done, at least once. Returns the number of kills. */
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
