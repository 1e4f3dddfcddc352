import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { KubeConfig } from '@kubernetes/client-node'
import { skipWithout } from '@matchyard/tooling/needs'
import { afterEach, beforeEach, expect, type TestContext, test, vi } from 'vitest'
import { agonesOrchestrator } from '../../src/agones/agones-orchestrator'
import { examineClusters } from '../../src/agones/examine-clusters'
import { connectionOf } from '../../src/agones/kube/connection'
import { TOKEN, testCluster } from '../../src/agones/testing/index'
import { launchSpec } from './launch-spec'

const run = promisify(execFile)
const PREFIX = '/k8s/clusters/c-x'
const ending: (() => unknown)[] = []
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'certificates-'))
})
afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  for (const end of ending.splice(0).reverse()) await end()
  rmSync(folder, { recursive: true, force: true })
})

const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

/** Makes a certificate authority, and two certificates that it signs: of the Kubernetes API and of a user. */
async function certificates(context: TestContext): Promise<void> {
  try {
    await openssl('req', '-x509', ...KEY, '-days', '2', '-subj', '/CN=ca', '-keyout', 'ca.key', '-out', 'ca.crt')
    writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1')
    for (const [name, subject] of [
      ['server', '/CN=kubernetes'],
      ['client', '/O=matchyard/CN=service'],
    ] as const) {
      await openssl('req', ...KEY, '-subj', subject, '-keyout', `${name}.key`, '-out', `${name}.csr`)
      const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2']
      await openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.crt`)
    }
  } catch (error) {
    skipWithout(context, 'openssl', String(error))
  }
}

/**
 * Starts a gateway to a cluster, below a path. It admits clients with a certificate of the authority; with `token`,
 * clients that send this token.
 */
async function gateway(clusterUrl: string, { token }: { token?: () => string } = {}) {
  const users = new Set<string>()
  const tls = { key: read('server.key'), cert: read('server.crt'), ca: read('ca.crt') }
  const demands = token === undefined ? { requestCert: true, rejectUnauthorized: true } : {}
  const server = createServer({ ...tls, ...demands }, (from, to) => {
    const { method, url = '', headers, socket } = from
    const { subject } = (socket as import('node:tls').TLSSocket).getPeerCertificate()
    users.add(String(subject?.CN ?? headers.authorization ?? 'nobody'))
    if (token !== undefined && headers.authorization !== `Bearer ${token()}`) return void to.writeHead(401).end('{}')
    if (!url.startsWith(`${PREFIX}/`)) return void to.writeHead(404).end('no such cluster')
    const passed = { ...headers, authorization: `Bearer ${TOKEN}` }
    const onward = request(`${clusterUrl}${url.slice(PREFIX.length)}`, { method, headers: passed }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(to)
      answer.once('error', () => to.destroy())
    })
    onward.once('error', () => to.destroy())
    to.once('close', () => onward.destroy())
    from.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ending.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, users }
}

/**
 * Writes a kubeconfig as kind and minikube do, but split as by an operator of a gateway: the user in one file, the
 * cluster in another.
 */
function split(port: number, user: object): string {
  const where = {
    clusters: [
      { name: 'c-x', cluster: { server: `https://127.0.0.1:${port}${PREFIX}`, 'certificate-authority': 'ca.crt' } },
    ],
    contexts: [{ name: 'games', context: { cluster: 'c-x', user: 'service', namespace: 'games' } }],
    'current-context': 'games',
  }
  writeFileSync(join(folder, 'where'), JSON.stringify(where))
  writeFileSync(join(folder, 'who'), JSON.stringify({ users: [{ name: 'service', user }] }))
  return [join(folder, 'who'), join(folder, 'where')].join(delimiter)
}

test('a client certificate, below a path, by two files', { timeout: 60_000 }, async (context) => {
  await certificates(context)
  const cluster = await testCluster()
  ending.push(() => cluster.close())
  const { port, users } = await gateway(cluster.url)
  const asData = (name: string) => Buffer.from(read(name)).toString('base64')
  const inFiles = { 'client-certificate': 'client.crt', 'client-key': 'client.key' }
  const inside = { 'client-certificate-data': asData('client.crt'), 'client-key-data': asData('client.key') }
  for (const [attempt, user] of [inFiles, inside].entries()) {
    const kubeconfig = split(port, user)
    const clock = { now: () => Date.now() + 2_000 }
    const orchestrator = agonesOrchestrator({ installationId: 'ins', clock, kubeconfig })
    ending.push(() => orchestrator.close())
    await orchestrator.open()
    const spec = launchSpec({ attempt: attempt + 1 })
    expect(await orchestrator.launch(spec)).toEqual({ ok: true })
    // This needs a list, a watch, and the writes of the launch.
    await expect.poll(async () => (await orchestrator.observe()).map(({ state }) => state)).toEqual(['ready'])
    expect(await examineClusters({ kubeconfig })).toMatchObject([{ context: 'games', missing: [], dryRunFault: null }])
  }
  expect([...users]).toEqual(['service'])
  const orchestrator = agonesOrchestrator({ installationId: 'ins', clock: Date, kubeconfig: split(port, {}) })
  ending.push(() => orchestrator.close())
  await orchestrator.open()
  await expect(orchestrator.observe('srv_1')).rejects.toThrow(/the cluster games cannot be used now/)
})

test('the token of a pod’s service account is read again as it is exchanged', async (context) => {
  await certificates(context)
  const account = join(folder, 'root', 'var', 'run', 'secrets', 'kubernetes.io', 'serviceaccount')
  mkdirSync(account, { recursive: true })
  writeFileSync(join(account, 'ca.crt'), read('ca.crt'))
  writeFileSync(join(account, 'namespace'), 'games')
  writeFileSync(join(account, 'token'), 'first')
  let valid = 'first'
  const cluster = await testCluster()
  ending.push(() => cluster.close())
  const { port } = await gateway(cluster.url, { token: () => valid })
  vi.stubEnv('KUBERNETES_SERVICE_HOST', '127.0.0.1')
  vi.stubEnv('KUBERNETES_SERVICE_PORT', String(port))
  const config = new KubeConfig()
  config.loadFromCluster(join(folder, 'root'))
  let at = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: at })
  const connection = connectionOf(config, () => at)
  const ask = async () => (await connection.send({ method: 'GET', path: `${PREFIX}/version` })).code
  expect(await ask()).toBe(200)
  writeFileSync(join(account, 'token'), 'second')
  valid = 'second'
  at += 61_000
  vi.setSystemTime(at)
  expect(await ask()).toBe(200)
})
