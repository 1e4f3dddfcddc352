import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ROLE_RULES } from '@matchyard/orchestrator/agones'
import { VARIABLES } from '@matchyard/server/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { schemaFault, unknownFields } from '../../src/helm/judge'
import { groundOf } from '../../src/helm/pod'
import { helmIsHere, lint, type Manifest, RELEASE, render, renderText, theOne, VALUES } from '../../src/helm/render'
import { skipWithout } from '../../src/needs'

const isHere = helmIsHere()
beforeEach((context) => {
  if (!isHere) skipWithout(context, 'Helm', 'it is not on the path')
})

const PATIENCE_MS = 240_000
const all = async (): Promise<Record<string, readonly Manifest[]>> =>
  Object.fromEntries(await Promise.all(VALUES.map(async (file) => [file, await render(file)])))
const kindsOf = (objects: readonly Manifest[]) => [...new Set(objects.map(({ kind }) => kind))].sort()
const isSelectedBy = (labels: object | undefined, selector: object) =>
  Object.entries(selector).every(([key, value]) => (labels as Record<string, string>)[key] === value)

const ALWAYS = ['Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'ServiceAccount']
const MONITORING = ['PrometheusRule', 'ServiceMonitor']

describe('the chart, rendered by Helm', () => {
  it('has for each file of values the kinds that it asks for', async () => {
    const rendered = await all()
    expect(Object.fromEntries(Object.entries(rendered).map(([file, objects]) => [file, kindsOf(objects)]))).toEqual({
      'minimal.yaml': [...ALWAYS, 'Job'].sort(),
      'agones.yaml': [
        ...[...ALWAYS, ...MONITORING],
        ...['ConfigMap', 'Ingress', 'Job', 'Role', 'RoleBinding', 'Secret'],
      ].sort(),
      's3-pooler.yaml': [...ALWAYS, 'Job', 'Secret'].sort(),
      'no-operator-crds.yaml': [...ALWAYS, 'ConfigMap'].sort(),
      'large.yaml': [...ALWAYS, ...MONITORING, 'ConfigMap', 'HorizontalPodAutoscaler', 'Job'].sort(),
    })
  })

  it.each(VALUES)('%s passes lint, and each object the schema of its kind', async (values) => {
    await lint(values)
    const faults = await Promise.all((await render(values)).map(schemaFault))
    expect(faults.filter((fault) => fault !== undefined)).toEqual([])
  })

  it('no object has a field that its kind has not, and one that has is noticed', { timeout: PATIENCE_MS }, async () => {
    const objects = Object.values(await all()).flatMap((some) => [...some])
    const wrong = structuredClone(theOne(await render('agones.yaml'), 'ServiceMonitor'))
    wrong.spec.endpoints[0].intervall = '5s'
    const faults = await unknownFields([...objects, wrong])
    expect(faults).toEqual([expect.stringMatching(/intervall.* does not exist in type 'IEndpoint'/)])
    wrong.spec.endpoints[0].interval = 5
    expect(await schemaFault(wrong)).toContain('interval')
  })

  it.each(VALUES)('%s: what is named is there', async (values) => {
    const objects = await render(values)
    const deployment = theOne(objects, 'Deployment')
    const pod = deployment.spec.template
    const service = theOne(objects, 'Service')
    const names = (kind: string) => objects.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name)

    expect(isSelectedBy(pod.metadata.labels, deployment.spec.selector.matchLabels)).toBe(true)
    expect(isSelectedBy(pod.metadata.labels, service.spec.selector)).toBe(true)
    expect(isSelectedBy(pod.metadata.labels, theOne(objects, 'PodDisruptionBudget').spec.selector.matchLabels)).toBe(
      true,
    )
    expect(names('ServiceAccount')).toContain(pod.spec.serviceAccountName)
    const ports = pod.spec.containers[0].ports.map(({ name }: { name: string }) => name)
    expect(ports).toEqual(['http'])
    expect(service.spec.ports[0].targetPort).toBe('http')
    for (const job of objects.filter(({ kind }) => kind === 'Job')) {
      const { labels } = job.spec.template.metadata
      // The service's selector leaves migration pods out, so they get no calls. Their network policy is that of the
      // nodes.
      expect(isSelectedBy(labels, service.spec.selector)).toBe(false)
      expect(isSelectedBy(labels, theOne(objects, 'NetworkPolicy').spec.podSelector.matchLabels)).toBe(true)
    }
    for (const monitor of objects.filter(({ kind }) => kind === 'ServiceMonitor')) {
      expect(isSelectedBy(service.metadata.labels, monitor.spec.selector.matchLabels)).toBe(true)
      expect(monitor.spec.endpoints[0].port).toBe(service.spec.ports[0].name)
    }
    for (const scaler of objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')) {
      expect(scaler.spec.scaleTargetRef.name).toBe(deployment.metadata.name)
      expect(deployment.spec).not.toHaveProperty('replicas')
    }
    const secrets = { matchyard: {}, 'matchyard-clusters': { config: '' } }
    for (const workload of objects.filter(({ kind }) => ['Deployment', 'Job'].includes(kind))) {
      const { environment } = groundOf(workload, objects, 'arena-matchyard-5c9d7f6b8-x2x4z', secrets)
      expect(VARIABLES).toEqual(expect.arrayContaining(Object.keys(environment)))
    }
  })

  it('a pod has the time that the service takes to leave, and is out of the balancer before it stops taking calls', async () => {
    for (const values of VALUES) {
      const { spec } = theOne(await render(values), 'Deployment').spec.template
      const [{ env, readinessProbe, lifecycle }] = spec.containers
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(20)
      expect(lifecycle).toBeUndefined()
      const drain = Number(env.find(({ name }: { name: string }) => name === 'DRAIN_SECONDS').value)
      expect(readinessProbe.periodSeconds * readinessProbe.failureThreshold).toBeLessThan(drain)
    }
  })

  it('gives the service the rights of ROLE_RULES in the namespace of its game servers, and its configuration', async () => {
    const objects = await render('agones.yaml')
    const role = theOne(objects, 'Role')
    expect(role.rules).toEqual(ROLE_RULES)
    expect(role.metadata.namespace).toBe('games')
    const binding = theOne(objects, 'RoleBinding')
    expect(binding.metadata.namespace).toBe('games')
    expect(binding.roleRef.name).toBe(role.metadata.name)
    const { serviceAccountName } = theOne(objects, 'Deployment').spec.template.spec
    expect(binding.subjects).toEqual([
      { kind: 'ServiceAccount', name: serviceAccountName, namespace: RELEASE.namespace },
    ])
    expect(JSON.parse(theOne(objects, 'ConfigMap').data['agones.json'])).toMatchObject({
      installation: 'arena',
      namespace: 'games',
      tiers: { '*': { nodeSelector: { pool: 'games' } } },
    })
    const unnamed = await render('agones.yaml', { 'agones.installation': '""' })
    expect(JSON.parse(theOne(unnamed, 'ConfigMap').data['agones.json']).installation).toBe('matchyard.arena')
  })

  it('keeps numbers as they are written, and starts pods anew when their configuration changes', async () => {
    const of = async (bytes: string) => theOne(await render('minimal.yaml', { environment: bytes }), 'Deployment')
    const [first, second] = [await of('{"MAX_UPLOAD_BYTES":4294967296}'), await of('{"MAX_UPLOAD_BYTES":1048576}')]
    expect(first.spec.template.spec.containers[0].env).toContainEqual({ name: 'MAX_UPLOAD_BYTES', value: '4294967296' })
    const sum = ({ spec }: Manifest) => spec.template.metadata.annotations['checksum/configuration']
    expect(sum(first)).not.toBe(sum(second))
  })

  it('the values of docs/kubernetes.md are those of a service with game servers, and its objects are valid', async () => {
    const page = readFileSync(fileURLToPath(new URL('../../../../docs/kubernetes.md', import.meta.url)), 'utf8')
    const [, values = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? []
    const objects = await renderText(values)
    expect(kindsOf(objects)).toEqual(expect.arrayContaining(['Deployment', 'Role', 'Job']))
    expect((await Promise.all(objects.map(schemaFault))).filter((fault) => fault !== undefined)).toEqual([])
    const { secretRef } = theOne(objects, 'Deployment').spec.template.spec.containers[0].envFrom[0]
    expect(page).toContain(`kubectl create secret generic ${secretRef.name} `)
  })

  it.each([
    ['minimal.yaml', 'publicUrl', '""', /publicUrl: say how callers/],
    ['minimal.yaml', 'image.repository', '""', /image.repository: name the image/],
    ['s3-pooler.yaml', 'secret.values.DATABASE_URL', '""', /secret.values.DATABASE_URL is not set/],
    ['s3-pooler.yaml', 'secret.values.DATABASE_URL', '"sqlite:a.db"', /pods share a database/],
    ['agones.yaml', 'secret.values.METRICS_TOKEN', '""', /openssl rand -hex 24/],
    ['minimal.yaml', 'autoscaling', '{"enabled":true,"streams":100}', /set monitoring.enabled/],
    ['minimal.yaml', 'environment', '{"NODE_ID":"one"}', /NODE_ID/],
    ['minimal.yaml', 'drainSeconds', '20', /drainSeconds/],
    ['minimal.yaml', 'replica', '3', /replica/],
  ])('%s with %s=%s is refused with the reason', async (values, path, value, reason) => {
    await expect(render(values, { [path]: value })).rejects.toThrow(reason)
  })
})

it('the chart is of the version that the command is of', () => {
  const version = (file: string) =>
    /^ *"?(?:appVersion|version)"?: "?([\d.]+)"?,?$/gm.exec(
      readFileSync(fileURLToPath(new URL(`../../../../${file}`, import.meta.url)), 'utf8').replace(
        /^version: .*$/m,
        '',
      ),
    )?.[1]
  expect(version('examples/self-hosting/helm/Chart.yaml')).toBe(version('packages/server/package.json'))
})

it('the variables that the chart sets by itself are refused among the others', () => {
  const file = fileURLToPath(
    new URL('../../../../examples/self-hosting/helm/templates/deployment.yaml', import.meta.url),
  )
  const set = [...readFileSync(file, 'utf8').matchAll(/name: ([A-Z][A-Z_]+)\b/g)].map(([, name]) => name)
  const schema = readFileSync(file.replace('templates/deployment.yaml', 'values.schema.json'), 'utf8')
  const refused = JSON.parse(schema).properties.environment.allOf[1].propertyNames.not.enum
  expect(set.length).toBeGreaterThan(8)
  expect(refused).toEqual(expect.arrayContaining(set))
})
