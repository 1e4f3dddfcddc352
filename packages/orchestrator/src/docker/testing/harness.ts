import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LaunchBuild, NodeLimits, Orchestrator } from '@matchyard/core/ports'
import {
  FIXTURE_EXECUTABLE,
  type FixtureName,
  type OrchestratorHarness,
  type OrchestratorUnderTest,
} from '@matchyard/testkit/orchestrator'
import { FixtureStore, fixtureBuild, fixtureFiles } from '../../testing/index'
import { type DockerOrchestratorOptions, dockerOrchestrator } from '../docker-orchestrator'
import { LABEL } from '../labels'
import type { TestEngine } from './engine'
import { ensureNodeImage, makeNodeImage, NODE_IMAGE } from './images'

type Variation = Partial<Omit<DockerOrchestratorOptions, 'dataDirectory' | 'installationId'>>
type BuildKind = LaunchBuild['type']

let installations = 0

const imageName = (name: FixtureName) => `local/matchyard-test-${name}:1`

const ensuredImages = new Map<string, Promise<void>>()

function ensureFixtureImage({ host, docker }: TestEngine, name: FixtureName): Promise<void> {
  const files = fixtureFiles(name)
  if (files === undefined) return Promise.resolve()
  const key = `${host} ${name}`
  const underway =
    ensuredImages.get(key) ??
    makeNodeImage(docker, imageName(name), {
      files: files.map((file) => ({ ...file, path: join('app', file.path) })),
      changes: [`ENTRYPOINT ["/app/${FIXTURE_EXECUTABLE}"]`, 'WORKDIR /app'],
    })
  ensuredImages.set(key, underway)
  return underway
}

export interface DockerUnderTest extends OrchestratorUnderTest {
  readonly engine: TestEngine
  readonly folder: string
  readonly dataDirectory: string
  readonly installationId: string
  /** Returns the ids of all containers of the installation, from the engine's list. */
  containers(): Promise<string[]>
}

export interface DockerHarness extends OrchestratorHarness {
  open(limits?: NodeLimits): Promise<DockerUnderTest>
}

/** Returns a conformance harness that runs real containers in a real engine. */
export const dockerHarness = (engine: TestEngine, kind: BuildKind, variation: Variation = {}): DockerHarness => ({
  async open(limits = {}) {
    await ensureNodeImage(engine.docker)
    const folder = await mkdtemp(join(tmpdir(), 'orchestrator-'))
    const installationId = `ins_${process.pid}_${Date.now()}_${++installations}`
    const dataDirectory = join(folder, 'data')
    const opened: Orchestrator[] = []
    const start = async (data: string, installation: string) => {
      const orchestrator = dockerOrchestrator({
        dataDirectory: data,
        installationId: installation,
        buildStore: new FixtureStore(),
        clock: { now: () => Date.now() },
        engineHost: engine.host,
        baseImage: NODE_IMAGE,
        localImages: true,
        ...variation,
        ...limits,
      })
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
      engine,
      folder,
      dataDirectory,
      installationId,
      get orchestrator() {
        return orchestrator
      },
      async build(name) {
        if (kind === 'zip') return fixtureBuild(name)
        await ensureFixtureImage(engine, name)
        return { type: 'docker_image', buildId: `bld_${name}`, image: imageName(name) }
      },
      reopen,
      async reopenWithoutData() {
        await orchestrator.close()
        await rm(dataDirectory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
        return reopen()
      },
      async damage(instanceId) {
        for (const kept of ['launches', 'ended']) await emptyFiles(join(dataDirectory, kept, instanceId))
      },
      neighbour: () => start(join(folder, 'neighbour'), `${installationId}_neighbour`),
      containers: () => containersOf(engine, installationId),
      async dispose() {
        for (const one of opened) await one.close()
        for (const installation of [installationId, `${installationId}_neighbour`]) {
          const left = await containersOf(engine, installation)
          await Promise.all(left.map((id) => engine.docker.getContainer(id).remove({ force: true, v: true })))
        }
        await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
      },
    }
  },
})

async function emptyFiles(folder: string): Promise<void> {
  for (const one of await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []))
    if (one.isFile()) await writeFile(join(one.parentPath, one.name), '')
}

async function containersOf({ docker }: TestEngine, installationId: string): Promise<string[]> {
  const filters = { label: [`${LABEL.installation}=${installationId}`] }
  return (await docker.listContainers({ all: true, filters })).map(({ Id }) => Id)
}
