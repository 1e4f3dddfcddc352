import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Orchestrator } from '@matchyard/core/ports'
import { loadAll } from 'js-yaml'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { agonesOrchestrator } from '../src/agones-orchestrator'
import { examineClusters } from '../src/examine-clusters'
import { RIGHTS, type Right, ROLE_RULES, rightInWords } from '../src/rights'
import { type Access, FLEETS, GAMESERVERS, type TestCluster, testCluster } from '../src/testing/index'
import { launchSpec } from './launch-spec'

const SOON = { timeout: 30_000 }

let cluster: TestCluster
let folder: string
let kubeconfig: string

beforeEach(async () => {
  cluster = await testCluster()
  folder = mkdtempSync(join(tmpdir(), 'rights-'))
  kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, cluster.kubeconfig())
})
afterEach(async () => {
  await cluster.close()
  rmSync(folder, { recursive: true })
})

/** All that the adapter ever does: launch, watch, mark, stop, read, put away, launch again, have some wait, take one, want none, prune. */
async function wholeLife(): Promise<void> {
  const clock = { now: () => Date.now() + 2_000 }
  const orchestrator = agonesOrchestrator({ installationId: 'ins', clock, kubeconfig, keptEnded: 0 })
  try {
    await orchestrator.open()
    for (const attempt of [1, 2]) {
      await orchestrator.launch(launchSpec({ attempt }))
      await orchestrator.observe()
      await orchestrator.stop('srv_1', { graceMs: 1_000 })
      await expect
        .poll(async () => (await orchestrator.observe('srv_1')).every(({ state }) => state === 'exited'))
        .toBe(true)
      await orchestrator.logs('srv_1', { limit: 10 })
      await orchestrator.forget('srv_1')
    }
    await warmLife(orchestrator)
    await orchestrator.prune()
  } finally {
    await orchestrator.close()
  }
}

async function warmLife(orchestrator: Orchestrator): Promise<void> {
  const { instanceId, attempt: _, matchId: __, networkPorts: ___, config: ____, ...shape } = launchSpec()
  const ready = (buffer: number) => async () =>
    (await orchestrator.keepWarm([{ ...shape, min: 0, buffer }]))[0]?.ready.length
  await expect.poll(ready(1), SOON).toBe(1)
  await orchestrator.launch(launchSpec({ attempt: 3 }))
  expect(await orchestrator.observe(instanceId)).toMatchObject([{ warm: true }])
  await expect.poll(ready(2), SOON).toBe(2)
  await orchestrator.stop(instanceId, { graceMs: 1_000 })
  await expect
    .poll(async () => {
      await orchestrator.forget(instanceId)
      await orchestrator.keepWarm([])
      return [FLEETS, GAMESERVERS].flatMap((kind) => cluster.api.store.list(kind))
    }, SOON)
    .toEqual([])
}

const rulesWithout = (right: Right) =>
  RIGHTS.filter((one) => one !== right).map(({ group, resource, subresource, verb }) => ({
    apiGroups: [group],
    resources: [subresource === undefined ? resource : `${resource}/${subresource}`],
    verbs: [verb],
  }))

const isOf =
  ({ group, resource, subresource, verb }: Right) =>
  (asked: Access) =>
    asked.group === group && asked.resource === resource && asked.subresource === subresource && asked.verb === verb

describe('the rules of the role', () => {
  test('are enough for all that is ever done, and each is used: taken away, a call is denied', async () => {
    const asked: Access[] = []
    cluster.api.rules = ROLE_RULES
    const denied = new Set<string>()
    const authorize = cluster.api.authorize.bind(cluster.api)
    cluster.api.authorize = (access) => {
      asked.push(access)
      try {
        authorize(access)
      } catch (error) {
        denied.add(JSON.stringify(access))
        throw error
      }
    }
    await wholeLife()
    expect([...denied]).toEqual([])
    for (const right of RIGHTS) {
      const used = asked.find(isOf(right))
      expect([rightInWords(right), used !== undefined]).toEqual([rightInWords(right), true])
      cluster.api.rules = rulesWithout(right)
      if (used !== undefined) expect(() => authorize(used)).toThrow(/is forbidden: User/)
    }
  })

  test('are asked for one by one by the doctor, who names the one that is missing', async () => {
    cluster.api.rules = ROLE_RULES
    const whole = { agonesVersions: ['v1'], missing: [], dryRunFault: null, namespace: 'games' }
    expect(await examineClusters({ kubeconfig })).toMatchObject([whole])
    for (const right of RIGHTS) {
      cluster.api.rules = rulesWithout(right)
      expect(await examineClusters({ kubeconfig })).toMatchObject([{ missing: [rightInWords(right)] }])
    }
    cluster.api.rules = null
    cluster.api.admissions.push(() => {
      throw new Error('refused by a policy')
    })
    expect((await examineClusters({ kubeconfig }))[0]?.dryRunFault).toMatch(/refused by a policy/)
  })

  test('are those of the manifest that operators apply', () => {
    const file = new URL('../../../examples/self-hosting/kubernetes/role.yaml', import.meta.url)
    const objects = loadAll(readFileSync(fileURLToPath(file), 'utf8')) as { kind: string; rules?: object[] }[]
    expect(objects.find(({ kind }) => kind === 'Role')?.rules).toEqual(ROLE_RULES)
  })
})
