import type { NodeLimits, Orchestrator } from '@matchyard/core/ports'
import type { FixtureName, OrchestratorHarness, OrchestratorUnderTest } from '@matchyard/testkit/orchestrator'
import { agonesOrchestrator } from '../agones-orchestrator'
import { clientsOf } from '../clusters'
import { FLEETS, SECRETS } from '../kube/resources'
import { installationSelector } from '../names'

export interface RealCluster {
  readonly kubeconfig: string
  /** Namespace of the game servers. Default: the namespace of the kubeconfig's context. */
  readonly namespace?: string | undefined
  readonly imageOf: (name: FixtureName) => string
}

const ENDS_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 200
/**
 * Small resource requests, so that several game servers fit on one small node. The limits of their tier still apply.
 */
const LITTLE = { '*': { requests: { cpu: '20m', memory: '32Mi' } } }
const pauses = {
  now: () => performance.now(),
  pause: (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms)),
}

let installations = 0

/** Returns the conformance harness for an existing cluster. The harness removes all objects that it creates there. */
export const realClusterHarness = ({ imageOf, ...cluster }: RealCluster): OrchestratorHarness => ({
  async open(limits: NodeLimits = {}): Promise<OrchestratorUnderTest> {
    const installationId = `prove_${Date.now().toString(36)}_${process.pid}_${++installations}`
    const opened: { readonly id: string; readonly orchestrator: Orchestrator }[] = []
    const start = async (id: string) => {
      const clock = { now: () => Date.now() }
      const parts = { installationId: id, clock, registries: ['*'], tiers: LITTLE }
      const orchestrator = agonesOrchestrator({ ...parts, ...cluster, ...limits })
      opened.push({ id, orchestrator })
      await orchestrator.open()
      return orchestrator
    }
    let orchestrator = await start(installationId)
    const reopen = async () => {
      orchestrator = await start(installationId)
      return orchestrator
    }
    return {
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
        for (const id of new Set(opened.map((one) => one.id))) {
          const last = opened.filter((one) => one.id === id).at(-1)
          if (last !== undefined) await endAll(last.orchestrator)
          await removeRest(cluster, id)
        }
        for (const one of opened) await one.orchestrator.close()
      },
    }
  },
})

async function endAll(orchestrator: Orchestrator): Promise<void> {
  const until = performance.now() + ENDS_WITHIN_MS
  for (;;) {
    await orchestrator.keepWarm([])
    const seen = await orchestrator.observe()
    if (seen.length === 0 || performance.now() > until) return
    for (const { instanceId, state } of seen) {
      if (state === 'exited') await orchestrator.forget(instanceId)
      else await orchestrator.stop(instanceId, { graceMs: 1_000 })
    }
    await pauses.pause(LOOK_EVERY_MS)
  }
}

/** Deletes the notes (secrets) about ended game servers, and the fleets. The service itself would delete them later. */
async function removeRest(cluster: Pick<RealCluster, 'kubeconfig' | 'namespace'>, id: string): Promise<void> {
  const { clients } = await clientsOf(cluster, pauses)
  for (const client of clients.values()) {
    for (const kind of [FLEETS, SECRETS]) {
      const { items } = await client.list(kind, installationSelector(id))
      for (const { metadata } of items) await client.delete(kind, metadata)
    }
  }
}
