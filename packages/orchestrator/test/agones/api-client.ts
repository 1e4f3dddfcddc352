import { type Fields, type TestCluster, TOKEN } from '../../src/agones/testing/index'

export interface Answer {
  readonly code: number
  readonly body: Fields
  readonly headers: Headers
}

/** Calls the Kubernetes API of a test cluster. */
export async function call(
  { url }: Pick<TestCluster, 'url'>,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': type, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json')
  return { code: answer.status, body: isJson ? JSON.parse(text) : { text }, headers: answer.headers }
}

/** Yields the events of a watch as they arrive; ends with the stream. */
export async function* watch(
  { url }: Pick<TestCluster, 'url'>,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<Fields> {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${TOKEN}` }, signal })
  if (!answer.ok || answer.body === null) throw new Error(`${answer.status}: ${await answer.text()}`)
  let rest = ''
  for await (const chunk of answer.body) {
    const lines = (rest + Buffer.from(chunk).toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}

/** Returns the next event of a watch; undefined when the watch has ended. */
export async function nextEvent(events: AsyncGenerator<Fields>): Promise<Fields | undefined> {
  const { value, done } = await events.next()
  return done ? undefined : value
}

export const SERVERS = '/apis/agones.dev/v1/namespaces/games/gameservers'
export const POD_PATH = '/api/v1/namespaces/games/pods'
export const SECRET_PATH = '/api/v1/namespaces/games/secrets'
export const FLEET_PATH = '/apis/agones.dev/v1/namespaces/games/fleets'
export const ALLOCATION_PATH = '/apis/allocation.agones.dev/v1/namespaces/games/gameserverallocations'

/** Returns a simple GameServer with one container and one dynamic port. */
export const gameServer = (name: string, more: Fields = {}): Fields => ({
  apiVersion: 'agones.dev/v1',
  kind: 'GameServer',
  ...more,
  metadata: { name, ...more.metadata },
  spec: {
    ports: [{ name: 'game', portPolicy: 'Dynamic', containerPort: 7777, protocol: 'UDP' }],
    template: { spec: { containers: [{ name: 'game', image: 'registry.test/game:1' }] } },
    ...more.spec,
  },
})

export const secret = (name: string, more: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind: 'Secret',
  ...more,
  metadata: { name, ...more.metadata },
})

export const makeSecret = async (
  cluster: Pick<TestCluster, 'url'>,
  name: string,
  labels: Record<string, string> = {},
) => (await call(cluster, 'POST', SECRET_PATH, secret(name, { metadata: { labels } }))).body

export const listSecrets = async (cluster: Pick<TestCluster, 'url'>, query = '') =>
  (await call(cluster, 'GET', `${SECRET_PATH}${query}`)).body

export const watchSecrets = (
  cluster: Pick<TestCluster, 'url'>,
  query: string,
  signal: AbortSignal,
  path: string = SECRET_PATH,
) => watch(cluster, `${path}?watch=true&${query}`, signal)
