import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { NodeLimits, Orchestrator } from '@matchyard/core/ports'
import {
  FIXTURE_EXECUTABLE,
  type FixtureName,
  type OrchestratorHarness,
  type OrchestratorUnderTest,
} from '@matchyard/testkit/orchestrator'
import { fixtureFiles } from '../../testing/index'
import { type AgonesOrchestratorOptions, agonesOrchestrator } from '../agones-orchestrator'
import { ROLE_RULES } from '../rights'
import { type TestCluster, testCluster } from './cluster'
import { ownPorts } from './own-ports'
import { type ImageContent, processRuntime } from './process-runtime'

type Variation = Partial<Omit<AgonesOrchestratorOptions, 'installationId' | 'kubeconfig'>>

export const FIXTURES: readonly FixtureName[] = ['probe', 'scripted', 'not-executable', 'no-interpreter']
const digest = (name: FixtureName) => Buffer.from(name).toString('hex').padEnd(64, '0')

/** Returns the name of a fixture's image in the test cluster. */
export const imageOf = (name: FixtureName): string => `registry.test/${name}@sha256:${digest(name)}`

export interface AgonesUnderTest extends OrchestratorUnderTest {
  readonly cluster: TestCluster
  readonly installationId: string
}

let installations = 0

/**
 * Returns a conformance harness on a test cluster within this process; the containers of the cluster are real
 * processes.
 */
export const agonesHarness = (
  variation: Variation = {},
): OrchestratorHarness & { open(limits?: NodeLimits): Promise<AgonesUnderTest> } => ({
  async open(limits = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'agones-'))
    chmodSync(folder, 0o755)
    const runtime = fixtureRuntime(folder, imageOf)
    const ports = await ownPorts()
    const cluster = await testCluster({ runtime, freePort: ports.take })
    // The cluster allows only the role that operators grant. `dispose` fails if a call was not allowed.
    cluster.api.rules = ROLE_RULES
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
    const installationId = `ins_${process.pid}_${++installations}`
    const opened: Orchestrator[] = []
    const start = async (id: string) => {
      const orchestrator = agonesOrchestrator({
        installationId: id,
        kubeconfig,
        clock: { now: () => Date.now() },
        ...variation,
        ...limits,
      })
      opened.push(orchestrator)
      await orchestrator.open()
      return orchestrator
    }
    let orchestrator = await start(installationId)
    const reopen = async () => {
      orchestrator = await start(installationId)
      return orchestrator
    }
    return {
      cluster,
      installationId,
      get orchestrator() {
        return orchestrator
      },
      build: async (name) => ({ type: 'docker_image', buildId: `bld_${name}`, image: imageOf(name) }),
      reopen,
      // The cluster stores all data of the orchestrator, so there is no local data to remove.
      reopenWithoutData: async () => {
        await orchestrator.close()
        return reopen()
      },
      damage: async () => {},
      neighbour: () => start(`${installationId}_neighbour`),
      async dispose() {
        for (const one of opened) await one.close()
        await cluster.close()
        runtime.dispose()
        await ports.close()
        rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
        const [denied] = cluster.api.denied
        if (denied !== undefined) throw new Error(`the role is not enough: ${JSON.stringify(denied)}`)
      },
    }
  },
})

/** Returns a runtime that runs the suite's fixtures, each under the name of an image. */
export function fixtureRuntime(folder: string, nameOf: (name: FixtureName) => string) {
  const images = new Map<string, ImageContent>(FIXTURES.map((name) => [nameOf(name), unpacked(folder, name)]))
  return processRuntime((image) => images.get(image))
}

function unpacked(folder: string, name: FixtureName): ImageContent {
  const root = join(folder, 'images', name)
  for (const { path, content, executable } of fixtureFiles(name) ?? []) {
    mkdirSync(dirname(join(root, path)), { recursive: true, mode: 0o755 })
    writeFileSync(join(root, path), content, { mode: executable ? 0o755 : 0o644 })
  }
  return { folder: root, program: FIXTURE_EXECUTABLE }
}
