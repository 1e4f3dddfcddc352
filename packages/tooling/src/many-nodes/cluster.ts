import { mkdirSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMatchyard } from '@matchyard/core'
import type { Storage } from '@matchyard/core/ports'
import { nodePlatform } from '@matchyard/node'
import { postgresStorage } from '@matchyard/storage-postgres'
import { SideDoor, startServer, type TestServer } from '@matchyard/storage-postgres/testing'
import { killProcessesOf } from '../game-processes'
import { NodeProcess, type Place } from './node-process'

const SECRET = '4mQ8vT1zKc7wXn2bHs9dRf5gYj3pLe6aUo0i'
/** The e-mail address and the password of the developer's account. */
export const OWNER = { email: 'owner@studio.example', password: 'a long enough password' } as const
/** Settings that turn rate limits off, because in tests a few players make as many calls as many players would. */
const NO_BRAKES = {
  RATE_LIMIT_CREATIONS: '0',
  RATE_LIMIT_JOINS: '0',
  RATE_LIMIT_WRITES: '0',
  OVERLOAD_DELAY_MS: '0',
} as const
/** Seconds after which the other nodes declare a node lost. The time is short, so that tests need not wait long. */
export const NODE_LOST_AFTER_SECONDS = 6

/** Several `matchyard serve` processes that share one real PostgreSQL, with a project on the plan `pro`. */
export interface Cluster {
  readonly nodes: readonly NodeProcess[]
  readonly database: TestServer
  /** Reads the stored rows directly, without a node. */
  readonly storage: Storage
  /** Runs SQL statements directly on the database. */
  readonly door: SideDoor
  readonly projectId: string
  readonly clientKey: string
  readonly serverKey: string
  /** Returns one node after another, beginning again after the last node. */
  next(): NodeProcess
  node(index: number): NodeProcess
  /** Starts one more node. */
  add(): Promise<NodeProcess>
  stop(): Promise<void>
}

/** Functions with which a test changes the nodes' connections and folders. */
export interface Ground {
  readonly environment?: Readonly<Record<string, string>>
  /** Variables of one node, which take precedence over `environment`. */
  readonly environmentOf?: (node: number) => Readonly<Record<string, string>>
  /**
   * Returns the database address that the node must use, for example the address of a proxy; `databaseUrl` is the real
   * address.
   */
  readonly between?: (databaseUrl: string, node: number) => Promise<string>
  /** Whether nodes use a separate, direct connection to the database to receive signals. */
  readonly listensBeside?: boolean
  /** Returns the network in which a node runs; default: the network of the test. */
  readonly placeOf?: (node: number) => Place
  /** Called before the first start of a node, with the node's own folder, which is empty. */
  readonly prepare?: (dataDirectory: string, node: number) => void
  /** Called when all nodes have ended, before their folders are removed. */
  readonly close?: () => Promise<void>
}

export async function startCluster(count = 3, ground: Ground = {}): Promise<Cluster> {
  const {
    environment = {},
    environmentOf = () => ({}),
    listensBeside = false,
    between = async (url) => url,
    prepare = () => {},
    placeOf,
    close = async () => {},
  } = ground
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-nodes-'))
  const buildsDirectory = join(directory, 'builds')
  mkdirSync(buildsDirectory)
  const database = await startServer()
  const storage = postgresStorage({ url: database.url, poolSize: 2 })
  const keys = await furnish(storage)
  const launch = async (index: number) => {
    const dataDirectory = join(directory, `node-${index}`)
    mkdirSync(dataDirectory, { mode: 0o700 })
    prepare(dataDirectory, index)
    return NodeProcess.start(
      {
        nodeId: `node-${index}`,
        dataDirectory,
        buildsDirectory,
        place: placeOf?.(index),
        environment: {
          DATABASE_URL: await between(database.url, index),
          ...(listensBeside ? { DATABASE_LISTEN_URL: database.url } : {}),
          MATCHYARD_SECRET: SECRET,
          ...NO_BRAKES,
          NODE_LOST_AFTER_SECONDS: String(NODE_LOST_AFTER_SECONDS),
          ...environment,
          ...environmentOf(index),
        },
      },
      keys.clientKey,
    )
  }
  const starting = await Promise.allSettled(Array.from({ length: count }, (_, index) => launch(index)))
  const nodes = starting.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const door = new SideDoor(database.url, 'matchyard')
  const stop = async () => {
    await Promise.all(nodes.map((one) => one.end('SIGTERM')))
    for (const one of nodes) one.close()
    await endGameServers(storage, keys.projectId)
    await door.end()
    await storage.close()
    await close()
    await database.stop()
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  const failed = starting.find((start) => start.status === 'rejected')
  if (failed !== undefined) {
    await stop()
    throw failed.reason
  }
  let turn = 0
  const node = (index: number) => {
    const found = nodes[index % nodes.length]
    if (found === undefined) throw new Error('there are no nodes')
    return found
  }
  return {
    nodes,
    database,
    storage,
    door,
    ...keys,
    node,
    next: () => node(turn++),
    async add() {
      const added = await launch(nodes.length)
      nodes.push(added)
      return added
    },
    stop,
  }
}

async function furnish(storage: Storage) {
  await storage.migrate()
  // The hashes of API keys do not depend on the installation's secret. So the secret here may differ from the secret of
  // the nodes.
  const platform = nodePlatform({ secret: SECRET })
  const { projects, keys } = createMatchyard({ storage, ...platform })
  const passwordHash = await platform.passwords.hash(OWNER.password)
  const project = await projects.ensure({ name: 'Many nodes', email: OWNER.email, passwordHash })
  const owner = { accountId: project.accountId, projectId: project.id }
  const clientKey = (await keys.mint({ ...owner, type: 'client' })).value ?? ''
  const serverKey = (await keys.mint({ ...owner, type: 'server' })).value ?? ''
  return { projectId: project.id, clientKey, serverKey }
}

/** Kills all game servers of the project, because they continue to run when their nodes end. */
async function endGameServers(storage: Storage, projectId: string): Promise<void> {
  const { data } = await storage.servers.list({ projectId, limit: 1_000, offset: 0 })
  for (const { id } of data) killProcessesOf(id)
}
