import { createMatchyard, type Matchyard } from '@matchyard/core'
import { createApp, type MatchyardApp } from '@matchyard/http'
import { manualPayments } from '@matchyard/payments/manual'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeBuildStore, type FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'

/** The untyped JSON body of an answer. */
export type Body = ReturnType<typeof JSON.parse>

interface Call {
  readonly key: string
  readonly player?: string
  readonly body?: unknown
}

/**
 * A service of one node with a project, a build, and the queue `duel`, whose matches of two players run on a game
 * server.
 */
export interface Ground {
  readonly matchyard: Matchyard
  readonly app: MatchyardApp
  readonly clock: FakeClock
  readonly orchestrator: FakeOrchestrator
  readonly clientKey: string
  readonly serverKey: string
  readonly queueKey: string
  /** Sends a call such as `POST /v1/lobbies`. Resolves with the body; rejects when the status is an error. */
  call(what: string, options: Call): Promise<Body>
  /** Runs the jobs that are due, and those that follow from them. */
  settle(): Promise<void>
}

/** Opens a service in memory that is the same at each start: time, ids and game servers are fakes. */
export async function openGround(): Promise<Ground> {
  const platform = fakePlatform()
  const { clock } = platform
  const orchestrator = new FakeOrchestrator(clock)
  const matchyard = createMatchyard({
    ...platform,
    storage: memoryStorage(),
    orchestrator,
    buildStore: new FakeBuildStore(),
    payments: manualPayments(),
    apiUrl: 'http://localhost',
  })
  await matchyard.open()
  const app = createApp(matchyard, { clock, timers: clock })
  const project = await matchyard.projects.ensure({ name: 'Arena' })
  const owner = { accountId: project.accountId, projectId: project.id }
  const clientKey = (await matchyard.keys.mint({ ...owner, type: 'client' })).value ?? ''
  const serverKey = (await matchyard.keys.mint({ ...owner, type: 'server' })).value ?? ''
  const call: Ground['call'] = (what, options) => callApp(app, what, options)
  const settle = async () => {
    do await matchyard.worker.reconcileServers()
    while ((await matchyard.worker.runDueJobs()) > 0)
  }
  const queueKey = `${project.id}/duel`
  const ground = { matchyard, app, clock, orchestrator, clientKey, serverKey, queueKey, call, settle }
  await furnish(ground)
  return ground
}

async function callApp(app: MatchyardApp, what: string, { key, player, body }: Call): Promise<Body> {
  const [method = '', path = ''] = what.split(' ')
  const headers = new Headers({ 'api-key': key, 'content-type': 'application/json' })
  if (player !== undefined) headers.set('x-player-id', player)
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await app.request(path, { method, headers, ...sent })
  const text = await response.text()
  if (!response.ok) throw new Error(`${what} answered ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Creates the project's build and queue. */
async function furnish({ app, serverKey: key, call, settle }: Ground): Promise<void> {
  const upload = await call('POST /v1/builds/upload-url', { key, body: { name: 'arena', executable_path: 'server' } })
  await app.request(upload.upload_url, { method: 'PUT', body: 'PK' })
  await settle()
  const ports = [{ name: 'game', protocol: 'udp', internal_port: 7777 }]
  const queue = {
    queue_id: 'duel',
    name: 'Duel',
    matchmaking: { teams: 2, players_per_team: 1 },
    server_settings: { version_tag: 'arena', network_ports: ports },
  }
  await call('POST /v1/queues', { key, body: queue })
}
