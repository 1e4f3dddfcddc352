import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Client } from '../../../src/client'
import type { HarmFigure, HarmRow } from '../row'
import { HarmWorld } from '../world'

const SENDER = new URL('../crowd-sender.mjs', import.meta.url)
const CROWD = 200
const FEW = 2
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10)
/** Milliseconds, longer than the service tolerates an overload before it refuses calls. */
const SETTLE_MS = 2_000

interface Callers {
  readonly key?: string
  readonly forged?: boolean
  readonly lobby: string
}

interface Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Refused calls per second. */
  readonly refused: number
}

interface Keys {
  readonly client: string
  readonly server: string
}

/** Creates a project of another account, with a queue of the same name, and returns its keys. */
async function otherProject({ baseUrl }: HarmWorld): Promise<Keys> {
  const client = new Client(baseUrl)
  const post = async (path: string, body: unknown, headers: Record<string, string>) => {
    const answer = await client.call({ method: 'POST', path, body, headers })
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body as Record<string, string> & { keys: { type: string; key: string }[] }
  }
  const password = randomBytes(12).toString('hex')
  const account = { email: 'few@example.com', password, name: 'Few' }
  const { token } = await post('/v1/auth/register', account, {})
  const session = { authorization: `Bearer ${token}` }
  await post('/v1/billing/upgrade', { plan: 'pro', payment_method_token: 'pm_test_visa' }, session)
  const { keys } = await post('/v1/projects', { name: 'Few' }, session)
  client.close()
  const of = (type: string) => keys.find((key) => key.type === type)?.key ?? ''
  await post('/v1/queues', { queue_id: 'demo', name: 'Demo' }, { 'api-key': of('server') })
  return { client: of('client'), server: of('server') }
}

async function lobbyOf(world: HarmWorld, key: string): Promise<string> {
  const client = world.client(key)
  const call = { method: 'POST', path: '/v1/lobbies', player: 'first', body: { queue_id: 'demo' } }
  const { body } = await client.call<{ lobby_id: string }>(call)
  client.close()
  return body.lobby_id
}

async function send(world: HarmWorld, callers: number, seconds: number, whose: Callers, isAttacker: boolean) {
  const port = Number(new URL(world.baseUrl).port)
  const worker = new Worker(SENDER, { workerData: { port, callers, seconds, isAttacker, ...whose } })
  const [figures] = (await once(worker, 'message')) as [Figures]
  return figures
}

/** Measures the two callers once the crowd's load takes effect. */
async function beside(world: HarmWorld, few: Callers, crowd: Callers): Promise<{ few: Figures; crowd: Figures }> {
  const crowding = send(world, CROWD, SECONDS + (2 * SETTLE_MS) / 1_000, crowd, true)
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const figures = await send(world, FEW, SECONDS, few, false)
  return { few: figures, crowd: await crowding }
}

export const row: HarmRow = {
  name: 'unfair-crowd',
  harm: `${CROWD} callers that never rest, beside ${FEW} callers of another project, of another key, and of strangers`,
  async run(): Promise<readonly HarmFigure[]> {
    let keys: Keys = { client: '', server: '' }
    const world = await HarmWorld.serve('ignore', {}, async (seeded) => {
      keys = await otherProject(seeded)
    })
    try {
      const { client_key: crowdKey } = world.credentials
      const few: Callers = { key: keys.client, lobby: await lobbyOf(world, keys.client) }
      const crowdLobby = await lobbyOf(world, crowdKey)
      // Warm-up, so that the service's code is compiled.
      await send(world, 20, 3, { key: crowdKey, lobby: crowdLobby }, true)
      const quiet = await send(world, FEW, SECONDS, few, false)
      const crowds: readonly (readonly [string, Callers])[] = [
        ['a project', { key: crowdKey, lobby: crowdLobby }],
        ['their own other key', { key: keys.server, lobby: few.lobby }],
        ['strangers without a key', { lobby: few.lobby }],
        ['strangers with forged keys', { forged: true, lobby: few.lobby }],
      ]
      const figures: HarmFigure[] = []
      for (const [name, crowd] of crowds) {
        const attacked = await beside(world, few, crowd)
        const figure = (what: string, unit: string, of: (side: Figures) => number) =>
          figures.push({ what: `${name}: ${what}`, unit, quiet: of(quiet), attacked: of(attacked.few) })
        figure('answered', 'a second', ({ perSecond }) => perSecond)
        figure('refused', 'a second', ({ refused }) => refused)
        figure('p50', 'ms', ({ p50 }) => p50)
        figure('p99', 'ms', ({ p99 }) => p99)
        figures.push({
          what: `${name}: the crowd's own`,
          unit: 'a second',
          quiet: 0,
          attacked: attacked.crowd.perSecond,
        })
      }
      return figures
    } finally {
      await world.stop()
    }
  },
}
