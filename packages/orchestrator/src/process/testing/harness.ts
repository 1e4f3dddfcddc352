import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { NodeLimits, Orchestrator } from '@matchyard/core/ports'
import type { OrchestratorHarness, OrchestratorUnderTest } from '@matchyard/testkit/orchestrator'
import { FixtureStore, fixtureBuild } from '../../testing/index'
import { type ProcessOrchestratorOptions, processOrchestrator } from '../process-orchestrator'

type Variation = Partial<Omit<ProcessOrchestratorOptions, 'dataDirectory' | 'buildStore' | 'installationId'>>

let installations = 0

export interface ProcessUnderTest extends OrchestratorUnderTest {
  readonly folder: string
  readonly dataDirectory: string
  readonly installationId: string
  readonly store: FixtureStore
}

export interface ProcessHarness extends OrchestratorHarness {
  open(limits?: NodeLimits): Promise<ProcessUnderTest>
}

/** Returns a conformance harness that runs real processes, with a separate data folder. */
export const processHarness = (variation: Variation = {}): ProcessHarness => ({
  async open(limits = {}) {
    const folder = await mkdtemp(join(tmpdir(), 'orchestrator-'))
    const buildStore = new FixtureStore()
    const installationId = `ins_${process.pid}_${Date.now()}_${++installations}`
    const dataDirectory = join(folder, 'data')
    const opened: Orchestrator[] = []
    const start = async (data: string, installation: string) => {
      const clock = { now: () => Date.now() }
      const options = { dataDirectory: data, buildStore, installationId: installation, clock, ...variation, ...limits }
      const orchestrator = processOrchestrator(options)
      opened.push(orchestrator)
      await orchestrator.open()
      return orchestrator
    }
    let orchestrator = await start(dataDirectory, installationId)
    const reopen = async () => {
      orchestrator = await start(dataDirectory, installationId)
      return orchestrator
    }
    return {
      folder,
      dataDirectory,
      installationId,
      store: buildStore,
      get orchestrator() {
        return orchestrator
      },
      build: async (name) => fixtureBuild(name),
      reopen,
      async reopenWithoutData() {
        await orchestrator.close()
        await rm(dataDirectory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
        return reopen()
      },
      damage: (instanceId) =>
        emptyFiles(join(dataDirectory, 'servers', instanceId, '1'), (name) => name.endsWith('.json')),
      neighbour: () => start(join(folder, 'neighbour'), `${installationId}_neighbour`),
      async dispose() {
        await endEverything(orchestrator)
        for (const one of opened) await one.close()
        await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
      },
    }
  },
})

/** Empties every file in a folder for which `isOwn` returns true. */
async function emptyFiles(folder: string, isOwn: (name: string) => boolean): Promise<void> {
  for (const one of await readdir(folder, { withFileTypes: true }))
    if (one.isFile() && isOwn(one.name)) await writeFile(join(folder, one.name), '')
}

async function endEverything(orchestrator: Orchestrator): Promise<void> {
  for (;;) {
    const live = (await orchestrator.observe()).filter(({ state }) => state !== 'exited')
    if (live.length === 0) break
    for (const { instanceId } of live) await orchestrator.stop(instanceId, { graceMs: 0 })
    await pause(20)
  }
  for (const { instanceId } of await orchestrator.observe()) await orchestrator.forget(instanceId)
}
