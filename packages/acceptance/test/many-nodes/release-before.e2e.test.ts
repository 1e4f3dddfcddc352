import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SideDoor, startServer, type TestServer } from '@matchyard/storage-postgres/testing'
import { skipWithout } from '@matchyard/tooling/needs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../../src/eventually'
import type { Balancer } from '../../src/many-nodes/balancer/balancer'
import { startBalancer } from '../../src/many-nodes/balancer/start'
import { NodeProcess } from '../../src/many-nodes/node-process'
import { percentiles } from '../../src/many-nodes/percentiles'
import { Follower } from '../../src/many-nodes/rolling/follower'
import { DUELS, keepQueues, playDuels, playRooms, ROOMS } from '../../src/many-nodes/rolling/lobbies'
import { Traffic } from '../../src/many-nodes/rolling/traffic'
import { checkOutReleaseBefore, RELEASE_BEFORE, type Release, whyNotHere } from '../../src/releases/release-before'

const reason = whyNotHere()

/** Calls that are made with both releases at work. */
const CALLS_THROUGH_BOTH = 600

describe(`the release before (${RELEASE_BEFORE.slice(0, 7)}) and this one on one database`, () => {
  let release: Release
  let database: TestServer
  let folder: string
  let door: SideDoor
  const nodes: NodeProcess[] = []
  let balancer: Balancer | undefined
  beforeAll(async () => {
    if (reason !== undefined) return
    release = checkOutReleaseBefore()
    database = await startServer()
    folder = mkdtempSync(join(tmpdir(), 'matchyard-beside-'))
    mkdirSync(join(folder, 'builds'))
    door = new SideDoor(database.url, 'matchyard')
  }, 240_000)
  afterAll(async () => {
    await balancer?.stop()
    await Promise.all(nodes.map((node) => node.end('SIGTERM')))
    for (const node of nodes) node.close()
    await door?.end()
    await database?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    release?.remove()
  })

  const environment = () => ({
    DATABASE_URL: database.url,
    MATCHYARD_SECRET: '4mQ8vT1zKc7wXn2bHs9dRf5gYj3pLe6aUo0i',
    ORCHESTRATOR: 'none',
    RATE_LIMIT_CREATIONS: '0',
    RATE_LIMIT_JOINS: '0',
    RATE_LIMIT_WRITES: '0',
    OVERLOAD_DELAY_MS: '0',
    DRAIN_SECONDS: '2',
  })
  const start = async (nodeId: string, key: string, command?: readonly string[]) => {
    const node = await NodeProcess.start(
      {
        nodeId,
        dataDirectory: join(folder, nodeId),
        buildsDirectory: join(folder, 'builds'),
        environment: environment(),
        command,
      },
      key,
    )
    nodes.push(node)
    return node
  }
  const portOf = ({ baseUrl }: NodeProcess) => Number(new URL(baseUrl).port)
  /** With the command of the release before, which makes the schema as it knew it. */
  const anAccount = async () => {
    const args = [...release.command, 'accounts', 'create', '--email', 'ann@studio.example', '--json']
    const env = { PATH: process.env.PATH, ...environment(), MATCHYARD_DATA: join(folder, 'operator') }
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env })
    return JSON.parse(stdout) as { client_key: string; server_key: string }
  }
  const schema = async () => (await door.query<{ version: number }>('select version from schema_version'))[0]?.version

  it('serve side by side: the update fails no call, and neither does the way back', {
    timeout: 240_000,
  }, async (context) => {
    if (reason !== undefined) skipWithout(context, 'the release before', reason)
    const { client_key: key, server_key } = await anAccount()
    const released = await schema()
    const old = await start('old', key, release.command)
    for (const body of [ROOMS, DUELS])
      expect((await old.call({ method: 'POST', path: '/v1/queues', key: server_key, body })).status).toBe(201)
    balancer = await startBalancer([portOf(old)])
    const traffic = new Traffic(balancer.baseUrl, key)
    const waits: number[] = []
    const load = Promise.all([
      ...['room-a', 'room-b', 'room-c'].map((name) => playRooms(traffic, name)),
      ...['duel-a', 'duel-b'].map((name) => playDuels(traffic, name, waits)),
      ...Array.from({ length: 6 }, (_, index) => new Follower(traffic, `reader-${index}`).run()),
      keepQueues(traffic, server_key),
    ])
    try {
      const goesOn = async (calls: number) => {
        const from = traffic.of('calls')
        await eventually(
          () => traffic.of('calls') - from,
          (count) => count >= calls || traffic.failed.length > 0,
          90_000,
        )
      }
      await goesOn(100)
      // It migrates, while the other is at work.
      const now = await start('new', key)
      await balancer.use([portOf(old), portOf(now)])
      await goesOn(CALLS_THROUGH_BOTH)
      // The update: everything on this release.
      await balancer.use([portOf(now)])
      await old.end('SIGTERM')
      await goesOn(100)
      // And the way back: the release before starts on what this one has made of the schema.
      await old.start()
      await balancer.use([portOf(old)])
      await now.end('SIGTERM')
      await goesOn(100)
    } finally {
      traffic.flows = false
      await load
      traffic.close()
    }
    console.log(`${balancer.name}, schema ${released} -> ${await schema()}: ${traffic.tally}`)
    console.log(`waits for a match ${percentiles(waits)} ms`)
    expect(traffic.failed).toEqual([])
    expect(traffic.violations).toEqual([])
    expect(traffic.of('streams resumed')).toBe(traffic.of('streams ended'))
    expect(traffic.of('streams ended')).toBeGreaterThan(0)
  })
})
