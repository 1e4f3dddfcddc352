import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { KubeConfig } from '@kubernetes/client-node'
import type { Orchestrator } from '@matchyard/core/ports'
import { loadAll } from 'js-yaml'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { agonesIn } from '../../src/agones/agones-orchestrator'
import { examineClusters } from '../../src/agones/examine-clusters'
import { type Connection, connectionOf } from '../../src/agones/kube/connection'
import { ApiRefusal } from '../../src/agones/kube/errors'
import { RIGHTS, type Right, ROLE_RULES, rightInWords } from '../../src/agones/rights'
import { FLEETS, GAMESERVERS, type PolicyRule, type TestCluster, testCluster } from '../../src/agones/testing/index'
import { launchSpec } from './launch-spec'

const LIVES_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 10

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

/**
 * Runs a whole life under some rules, until its end or until a call is denied. Returns the denied rights, by the texts
 * of the refusals.
 */
async function deniedUnder(rules: readonly PolicyRule[]): Promise<readonly string[]> {
  cluster.api.rules = rules
  const denied = new Set<string>()
  const orchestrator = agonesIn(
    { installationId: 'ins', clock: { now: () => Date.now() + 2_000 }, kubeconfig, keptEnded: 0 },
    {
      pauses: {
        // Time runs ten times as fast, and pauses are short: the test is about rights, not about waiting.
        now: () => 10 * performance.now(),
        pause: (ms, signal) => sleep(Math.min(ms, LOOK_EVERY_MS), undefined, { ref: false, ...(signal && { signal }) }),
      },
      knock: async () => 'accepts',
      connect: (config) => listenedTo(config, (code, text) => code === 403 && denied.add(rightIn(text))),
    },
  )
  try {
    await wholeLife(orchestrator, () => denied.size > 0)
  } catch (error) {
    if (denied.size === 0) throw error
  } finally {
    await orchestrator.close()
  }
  return [...denied]
}

/** Returns a connection that reports each answer to `hear`. */
function listenedTo(config: KubeConfig, hear: (code: number, text: string) => void): Connection {
  const inner = connectionOf(config)
  return {
    server: inner.server,
    async send(call) {
      const answer = await inner.send(call)
      hear(answer.code, answer.text)
      return answer
    },
    async stream(call) {
      try {
        return await inner.stream(call)
      } catch (error) {
        if (error instanceof ApiRefusal) hear(error.code, error.message)
        throw error
      }
    },
  }
}

/** Returns the denied right of an error message, in the form of `rightInWords`. */
function rightIn(text: string): string {
  const { message = text } = text.startsWith('{') ? (JSON.parse(text) as { message?: string }) : {}
  const [, verb, resource, group] = /cannot (\w+) resource "(\S+)" in API group "(\S*)"/.exec(message) ?? []
  return verb === undefined ? message : `${verb} ${resource}${group === '' ? '' : `.${group}`}`
}

/**
 * Performs all operations of the adapter: launch, watch, mark, stop, read logs, put away, launch again, fill a pool,
 * take a waiting game server, empty the pool, prune.
 */
async function wholeLife(orchestrator: Orchestrator, isOver: () => boolean): Promise<void> {
  const until = async (holds: () => Promise<boolean>) => {
    for (const end = performance.now() + LIVES_WITHIN_MS; !(await holds()); await sleep(LOOK_EVERY_MS))
      if (isOver() || performance.now() > end) throw new Error('it does not go on')
  }
  await orchestrator.open()
  for (const attempt of [1, 2]) {
    await orchestrator.launch(launchSpec({ attempt }))
    await orchestrator.observe()
    await orchestrator.stop('srv_1', { graceMs: 1_000 })
    await until(async () => (await orchestrator.observe('srv_1')).every(({ state }) => state === 'exited'))
    await orchestrator.logs('srv_1', { limit: 10 })
    await orchestrator.forget('srv_1')
  }
  await warmLife(orchestrator, until)
  await orchestrator.prune()
}

async function warmLife(
  orchestrator: Orchestrator,
  until: (holds: () => Promise<boolean>) => Promise<void>,
): Promise<void> {
  const { instanceId, attempt: _, matchId: __, networkPorts: ___, config: ____, ...shape } = launchSpec()
  const waiting = (buffer: number) => async () =>
    (await orchestrator.keepWarm([{ ...shape, min: 0, buffer }]))[0]?.ready.length === buffer
  await until(waiting(1))
  await orchestrator.launch(launchSpec({ attempt: 3 }))
  expect(await orchestrator.observe(instanceId)).toMatchObject([{ warm: expect.any(String) }])
  await until(waiting(2))
  await orchestrator.stop(instanceId, { graceMs: 1_000 })
  await until(async () => {
    await orchestrator.forget(instanceId)
    await orchestrator.keepWarm([])
    return [FLEETS, GAMESERVERS].every((kind) => cluster.api.store.list(kind).length === 0)
  })
}

const rulesWithout = (right: Right): PolicyRule[] =>
  RIGHTS.filter((one) => one !== right).map(({ group, resource, subresource, verb }) => ({
    apiGroups: [group],
    resources: [subresource === undefined ? resource : `${resource}/${subresource}`],
    verbs: [verb],
  }))

describe('the rules of the role', () => {
  test('are enough for all that is ever done', { timeout: LIVES_WITHIN_MS }, async () => {
    expect(await deniedUnder(ROLE_RULES)).toEqual([])
  })

  test.each(RIGHTS.map((right) => [rightInWords(right), right] as const))(
    'without the right to %s, just the calls that need it are denied',
    { timeout: LIVES_WITHIN_MS },
    async (words, right) => {
      expect(await deniedUnder(rulesWithout(right))).toEqual([words])
    },
  )

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
    const file = new URL('../../../../examples/self-hosting/kubernetes/role.yaml', import.meta.url)
    const objects = loadAll(readFileSync(fileURLToPath(file), 'utf8')) as { kind: string; rules?: object[] }[]
    expect(objects.find(({ kind }) => kind === 'Role')?.rules).toEqual(ROLE_RULES)
  })
})
