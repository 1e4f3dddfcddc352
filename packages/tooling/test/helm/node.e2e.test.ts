import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestCluster, testCluster } from '@matchyard/orchestrator/agones/testing'
import { startServer, type TestServer } from '@matchyard/storage-postgres/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { eventually } from '../../src/eventually'
import { groundOf, runOnce } from '../../src/helm/pod'
import { CHART, helmIsHere, type Manifest, render, theOne } from '../../src/helm/render'
import { NodeProcess } from '../../src/many-nodes/node-process'
import { skipWithout } from '../../src/needs'

const isHere = helmIsHere()
const POD = 'arena-matchyard-5c9d7f6b8-x2x4z'
/** Milliseconds that the kubelet waits between SIGTERM and SIGKILL. */
const GRACE_MS = 25_000

let folder: string
let database: TestServer
let cluster: TestCluster
let objects: readonly Manifest[]
let node: NodeProcess

/** Moves the pod's paths below /etc/matchyard/ into the test's folder. */
const inFolder = (text: string) => text.replaceAll('/etc/matchyard/', `${folder}/`)

beforeAll(async () => {
  if (!isHere) return
  folder = mkdtempSync(join(tmpdir(), 'matchyard-helm-'))
  ;[database, cluster] = await Promise.all([startServer(), testCluster()])
  objects = await render('agones.yaml', {
    'secret.values.DATABASE_URL': JSON.stringify(database.url),
    'agones.kubeconfigSecret': '"clusters"',
    drainSeconds: '3',
    workers: '2',
  })
}, 120_000)
afterAll(async () => {
  if (!isHere) return
  await node?.end('SIGTERM')
  node?.close()
  await Promise.all([database.stop(), cluster.close()])
  rmSync(folder, { recursive: true, force: true })
})

interface Alert {
  readonly expr: string
  readonly annotations: { readonly summary: string; readonly action: string }
}

const bearer = { authorization: 'Bearer 0f4c6e1a9b7d3528' }
const probe = async (name: string) => {
  const [container] = theOne(objects, 'Deployment').spec.template.spec.containers
  return (await fetch(`${node.baseUrl}${container[name].httpGet.path}`)).status
}
const pageOf = async () => (await fetch(`${node.baseUrl}/metrics`, { headers: bearer })).text()

it('the hook migrates an empty database, then a pod comes up on what the chart gives it', {
  timeout: 180_000,
}, async (context) => {
  if (!isHere) skipWithout(context, 'Helm', 'it is not on the path')
  const secrets = { clusters: { config: cluster.kubeconfig() } }
  const hook = groundOf(theOne(objects, 'Job'), objects, 'arena-matchyard-migrate-q7k2p')
  expect(Object.keys(hook.environment)).toEqual(['DATABASE_URL'])
  const migrated = await runOnce(hook.args, hook.environment)
  expect(migrated).toContain('schema')

  const deployment = theOne(objects, 'Deployment')
  const { args, environment, files } = groundOf(deployment, objects, POD, secrets)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(inFolder(path)), { recursive: true })
    writeFileSync(inFolder(path), inFolder(content), { mode: 0o600 })
  }
  expect(JSON.parse(readFileSync(join(folder, 'agones/agones.json'), 'utf8')).kubeconfig).toContain(folder)
  // Only the address, the port and the data path are this test's; everything else is the chart's.
  const { HOST, PORT, MATCHYARD_DATA, ...variables } = environment
  const [container] = deployment.spec.template.spec.containers
  expect([args, HOST, PORT]).toEqual([['serve'], '0.0.0.0', String(container.ports[0].containerPort)])
  expect(container.volumeMounts).toContainEqual({ name: 'data', mountPath: MATCHYARD_DATA })
  node = await NodeProcess.start(
    {
      nodeId: POD,
      dataDirectory: join(folder, 'data'),
      buildsDirectory: join(folder, 'builds'),
      environment: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, inFolder(value)])),
    },
    '',
  )
  expect(await probe('startupProbe')).toBe(200)
  await eventually(
    () => probe('readinessProbe'),
    (status) => status === 200,
  )

  const { authorization, path } = theOne(objects, 'ServiceMonitor').spec.endpoints[0]
  const token = theOne(objects, 'Secret', ({ metadata }) => metadata.name === authorization.credentials.name)
  expect(token.stringData[authorization.credentials.key]).toBe(bearer.authorization.slice('Bearer '.length))
  expect(path).toBe('/metrics')
  expect(await pageOf()).toContain('matchyard_storage_up 1')
})

it('every metric that an alert or the autoscaler names is in what the node measures', async (context) => {
  if (!isHere) skipWithout(context, 'Helm', 'it is not on the path')
  // A latency metric exists only for operations that were called.
  await fetch(`${node.baseUrl}/v1/lobbies`)
  const page = await eventually(pageOf, (text) => text.includes('_request_duration_seconds_bucket'))
  const isThere = (name: string) => new RegExp(`^${name}[{ ]`, 'm').test(page)

  const alerts = readFileSync(join(CHART, 'files', 'alerts.yaml'), 'utf8')
  const rules = parse(alerts).groups.flatMap((group: { rules: object[] }) => group.rules) as Alert[]
  const named = [...new Set(rules.flatMap(({ expr }) => expr.match(/\b(matchyard|nodejs|process)_\w+/g) ?? []))]
  expect(named.length).toBeGreaterThan(12)
  expect(named.filter((name) => !isThere(name))).toEqual([])
  expect(rules.filter(({ annotations: { summary, action } }) => !/\.$/.test(summary) || !/\.$/.test(action))).toEqual(
    [],
  )

  const scaler = theOne(await render('large.yaml'), 'HorizontalPodAutoscaler')
  const own = scaler.spec.metrics.flatMap((one: Manifest) => (one.pods === undefined ? [] : [one.pods.metric.name]))
  expect(own).toHaveLength(2)
  // The adapter's default rules turn a counter into its rate and remove `_total` from the name.
  expect(own.filter((name: string) => !isThere(name) && !isThere(`${name}_total`))).toEqual([])

  const operations = [...alerts.matchAll(/operation=~"([^"]+)"/g)].flatMap(([, of = '']) => of.split('|'))
  const openapi = readFileSync(join(CHART, '../../../docs/openapi.json'), 'utf8')
  expect(operations.length).toBeGreaterThan(2)
  expect(operations.filter((name) => !openapi.includes(`"operationId": "${name}"`))).toEqual([])
})

it('a pod that is told to end is not ready, takes calls meanwhile, and is gone in time', {
  timeout: 60_000,
}, async (context) => {
  if (!isHere) skipWithout(context, 'Helm', 'it is not on the path')
  const since = performance.now()
  const ended = node.end('SIGTERM', GRACE_MS)
  await eventually(
    () => probe('readinessProbe'),
    (status) => status === 503,
  )
  expect(await probe('livenessProbe')).toBe(200)
  await ended
  expect(performance.now() - since).toBeLessThan(GRACE_MS - 1_000)
})
