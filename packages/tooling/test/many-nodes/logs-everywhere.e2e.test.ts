import { readFileSync } from 'node:fs'
import { packGameServer } from '@matchyard/example-game-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../../src/eventually'
import { processesOf } from '../../src/game-processes'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'
import type { NodeProcess } from '../../src/many-nodes/node-process'

interface Logs {
  readonly logs: readonly { readonly timestamp: string; readonly message: string }[]
}
interface Server {
  readonly instance_id: string
  readonly status: string
  readonly node_id: string
  readonly last_crash: { readonly exit_signal: string | null; readonly lines: Logs['logs'] } | null
}

/** Number of times that each node is asked for each log during the moves, and again after them. */
const ROUNDS = 100
/** Status that stands for no answer. */
const NO_ANSWER = 0
/** Ends and starts of the node of a game server, during which all nodes are asked. */
const MOVES = [
  (node: NodeProcess) => node.end('SIGTERM'),
  (node: NodeProcess) => node.start(),
  (node: NodeProcess) => node.end('SIGKILL'),
  (node: NodeProcess) => node.start(),
]

let cluster: Cluster
beforeAll(async () => {
  // The test reads more logs in a minute than one project may.
  cluster = await startCluster(3, { environment: { WORK_LIMITS: 'off', NODE_LOST_AFTER_SECONDS: '60' } })
}, 120_000)
afterAll(() => cluster?.stop())

const key = () => cluster.serverKey
const serverOf = (id: string) => cluster.next().call<Server>({ method: 'GET', path: `/v1/servers/${id}`, key: key() })
const logsOf = (node: NodeProcess, id: string) =>
  node.call<Logs>({ method: 'GET', path: `/v1/servers/${id}/logs`, key: key() })

/** Uploads the example's game server as the build `arena`. */
async function upload(): Promise<void> {
  const { body } = await cluster.node(0).call<{ build_id: string; upload_url: string }>({
    method: 'POST',
    path: '/v1/builds/upload-url',
    key: key(),
    body: { name: 'arena', executable_path: 'server.mjs' },
  })
  const archive = new Uint8Array(await packGameServer())
  expect((await fetch(body.upload_url, { method: 'PUT', body: archive })).status).toBe(204)
  await eventually(
    () => cluster.node(0).call({ method: 'GET', path: `/v1/builds/${body.build_id}`, key: key() }),
    (answer) => answer.body.status === 'ready',
  )
}

/** Launches a game server, and waits until it runs and its own node has lines of it. */
async function launch() {
  const body = { version_tag: 'arena', network_ports: [{ name: 'game', protocol: 'udp', internal_port: 7777 }] }
  const made = await cluster.node(0).call<Server>({ method: 'POST', path: '/v1/servers', key: key(), body })
  const { instance_id: id } = made.body
  const running = await eventually(
    () => serverOf(id),
    (answer) => answer.body.status === 'running',
  )
  const owner = cluster.nodes.find(({ nodeId }) => nodeId === running.body.node_id)
  if (owner === undefined) throw new Error(`no node ${running.body.node_id}`)
  const told = await eventually(
    () => logsOf(owner, id),
    (answer) => answer.body.logs.length > 0,
  )
  return { id, owner, first: told.body.logs[0] }
}

/** Kills the program of a game server, and not the supervisor that observes its end. */
function killProgramOf(instanceId: string): void {
  const all = processesOf(instanceId)
  const parents = new Set(
    all.map((pid) => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])),
  )
  for (const pid of all) if (!parents.has(pid)) process.kill(pid, 'SIGKILL')
}

/** Asks a node for a log, checks each answer, and counts its status. A node that is away gives no answer. */
async function ask(
  node: NodeProcess,
  id: string,
  seen: Map<number, number>,
  check: (answer: Awaited<ReturnType<typeof logsOf>>) => void,
) {
  for (let asked = 0; asked < ROUNDS / MOVES.length; asked++) {
    const answer = await logsOf(node, id).catch(() => undefined)
    if (answer !== undefined) check(answer)
    const status = answer?.status ?? NO_ANSWER
    seen.set(status, (seen.get(status) ?? 0) + 1)
  }
}

it('every node tells the lines of a log or names the node that is away, while nodes come and go', {
  timeout: 150_000,
}, async () => {
  await upload()
  const running = await launch()
  const crashed = await launch()
  killProgramOf(crashed.id)
  const { body: ended } = await eventually(
    () => serverOf(crashed.id),
    (answer) => answer.body.status === 'failed',
  )
  expect(ended.last_crash).toMatchObject({ exit_signal: 'SIGKILL', lines: expect.arrayContaining([crashed.first]) })
  const whole = await logsOf(crashed.owner, crashed.id)
  // Once the log is kept, the other nodes have it without the owner.
  await eventually(
    () => cluster.door.query(`select 1 from job where id = 'keep-log:${crashed.id}'`),
    (jobs) => jobs.length === 0,
  )
  await crashed.owner.end('SIGTERM')
  for (const node of cluster.nodes.filter((one) => one !== crashed.owner)) {
    const { status, body } = await logsOf(node, crashed.id)
    expect({ status, logs: body.logs }).toEqual({ status: 200, logs: whole.body.logs })
  }
  await crashed.owner.start()

  const seen = { running: new Map<number, number>(), crashed: new Map<number, number>() }
  const askAll = () =>
    Promise.all(
      cluster.nodes.flatMap((node) => [
        ask(node, running.id, seen.running, ({ status, body }) => {
          if (status === 200) expect(body.logs[0]).toEqual(running.first)
          else expect([status, JSON.stringify(body)]).toEqual([503, expect.stringContaining(running.owner.nodeId)])
        }),
        ask(node, crashed.id, seen.crashed, ({ status, body }) => {
          expect([status, body.logs]).toEqual([200, whole.body.logs])
        }),
      ]),
    )
  for (const move of MOVES) {
    const moving = move(running.owner)
    await askAll()
    await moving
    await askAll()
  }
  console.log(`answers by status, ${NO_ANSWER} for none:`, seen)
  // The log of the running server was told, and the node that has it was named while it was away.
  expect([...seen.running.keys()].sort()).toEqual([NO_ANSWER, 200, 503])
  expect(seen.running.get(200)).toBeGreaterThan(ROUNDS / 2 - 1)
  expect(seen.crashed.get(200)).toBeGreaterThan(4 * ROUNDS - 1)
})
