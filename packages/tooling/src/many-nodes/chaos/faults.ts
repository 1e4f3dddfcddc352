import { setTimeout as wait } from 'node:timers/promises'
import { SideDoor } from '@matchyard/storage-postgres/testing'
import type { ChaosWorld } from './world'

/** Smallest and largest number of milliseconds between two faults. */
const BETWEEN_MS = [1_000, 4_000] as const
/**
 * Smallest and largest number of milliseconds for which a killed node stays down. The other nodes declare a node lost
 * after a time between these two numbers.
 */
const AWAY_MS = [300, 9_000] as const
const SILENT_MS = [1_000, 8_000] as const
const STILL_MS = [2_000, 9_000] as const
const FULL_MS = [1_000, 6_000] as const

/** The smallest probability with which a connection to the database is closed. */
const LEAST_SHARE = 0.3

const between = (world: ChaosWorld, [from, to]: readonly [number, number]) => from + world.random() * (to - from)

export const DISKS_FILLED = 'disks filled'

/**
 * The functions that cause faults (attacks). Each attack runs once in this order; after that, attacks are chosen at
 * random. An attack that is listed several times is chosen more often.
 */
const ATTACKS = [cutConnections, killOne, silenceOne, stopOne, fillDisk, killOne, cutConnections, killOne]

/**
 * Causes faults of the nodes, and restarts PostgreSQL after a third and after two thirds of the time. At the end all
 * nodes run.
 */
export async function disturb(world: ChaosWorld, seconds: number): Promise<void> {
  const startedAt = performance.now()
  const restartsAt = [seconds / 3, (seconds * 2) / 3].map((second) => startedAt + second * 1_000)
  const underWay = new Set<Promise<void>>()
  for (let turn = 0; performance.now() - startedAt < seconds * 1_000; turn++) {
    await wait(between(world, BETWEEN_MS))
    if (performance.now() >= (restartsAt[0] ?? Number.POSITIVE_INFINITY)) {
      restartsAt.shift()
      await world.cluster.database.restart()
      world.count('restarts of PostgreSQL')
    }
    const attack = ATTACKS[turn] ?? world.pick(ATTACKS) ?? killOne
    const over = attack(world)
    underWay.add(over)
    void over.finally(() => underWay.delete(over))
  }
  await Promise.all(underWay)
}

/** Kills a node, but never the last running node, and starts it again later. */
async function killOne(world: ChaosWorld): Promise<void> {
  const up = world.cluster.nodes.filter(({ isUp }) => isUp)
  const node = up.length > 1 ? world.pick(up) : undefined
  if (node === undefined) return
  world.count('nodes killed')
  await node.end('SIGKILL')
  await wait(between(world, AWAY_MS))
  // The start fails while the database does not answer. So the start is repeated, as a supervisor of the nodes would
  // do.
  for (;;) {
    try {
      return await node.start()
    } catch (error) {
      if (String(error).includes('does not come up')) world.violations.push(String(error))
      world.count('starts that failed')
      await wait(200)
    }
  }
}

/**
 * Drops all bytes between a node and its database for some time. Connections that were open during that time pass no
 * data afterwards either.
 */
async function silenceOne(world: ChaosWorld): Promise<void> {
  const network = world.pick([...world.ground.networks.values()])
  world.count('silences of a network')
  network?.fallSilent()
  await wait(between(world, SILENT_MS))
  network?.answerAgain()
}

/**
 * Suspends all processes of a node for longer than its leases, sometimes until the other nodes declare it lost, and
 * then lets the node continue.
 */
async function stopOne(world: ChaosWorld): Promise<void> {
  const node = world.pick(world.cluster.nodes.filter(({ isUp }) => isUp))
  world.count('nodes that stood still')
  await node?.standStill(between(world, STILL_MS))
}

async function fillDisk(world: ChaosWorld): Promise<void> {
  const disk = world.pick([...world.ground.disks.values()])
  if (disk === undefined) return
  world.count(DISKS_FILLED)
  disk.fill()
  await wait(between(world, FULL_MS))
  disk.empty()
}

/** Closes a random part of the database connections, as a broken network would do. */
async function cutConnections(world: ChaosWorld): Promise<void> {
  const { database } = world.cluster
  const door = new SideDoor(database.url, 'matchyard')
  const cut = await door.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where pid <> pg_backend_pid() and datname is not null and random() < $1`,
    [LEAST_SHARE + world.random() * (1 - LEAST_SHARE)],
  )
  await door.end()
  for (const _ of cut) world.count('connections cut')
}
