// Compares the time of a launch with the time of the bare engine calls that it needs, in one run and in turns. Prints a
// table for docs/benchmarks.md; ROUNDS sets the number of measurements of each.
import { readdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { LaunchSpec } from '@matchyard/core/ports'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import type Docker from 'dockerode'
import { containerRequest } from '../../src/docker/container-request'
import { engineAt } from '../../src/docker/engine'
import { imageConfig } from '../../src/docker/images/image-config'
import { containerName } from '../../src/docker/labels'
import { DEFAULT_NETWORK } from '../../src/docker/networks'
import { testEngine } from '../../src/docker/testing/engine'
import { type DockerUnderTest, dockerHarness } from '../../src/docker/testing/harness'
import { NODE_IMAGE } from '../../src/docker/testing/images'

const ROUNDS = Number(process.env.ROUNDS ?? 30)
const SHIELD_NETWORK = 'matchyard-metadata-shield'

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/**
 * Returns a function that makes the create request of a launch's container, so that dockerode can create it directly.
 */
async function bareRequest(subject: DockerUnderTest) {
  const image = await imageConfig(await engineAt(subject.engine.host), NODE_IMAGE)
  if (image === undefined) throw new Error('the image is gone')
  const configFile = join(subject.folder, 'its_svc.json')
  await writeFile(configFile, '{}', { mode: 0o444 })
  const [build = ''] = await readdir(join(subject.dataDirectory, 'builds'))
  const root = join(subject.dataDirectory, 'builds', build)
  const installationId = `${subject.installationId}_bare`
  const place = { installationId, image, configFile, root, hasShell: true, network: DEFAULT_NETWORK }
  return (spec: LaunchSpec) => {
    const identity = { name: containerName(place.installationId, spec.instanceId, spec.attempt), labels: {} }
    return containerRequest(spec, { ...place, logBytes: 8 * 1024 * 1024, fronts: new Map() }, identity)
  }
}

async function removeAll({ docker }: { docker: Docker }, ids: readonly string[]): Promise<void> {
  for (const id of ids) await docker.getContainer(id).remove({ force: true, v: true })
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN

const engine = await testEngine()
if (typeof engine === 'string') throw new Error(engine)
const subject = await dockerHarness(engine, 'zip').open()
try {
  const { docker } = engine
  const spec = () => orchestratorProbe.specFor(subject)
  await subject.orchestrator.launch(await spec()) // afterwards the image is fetched, unpacked and inspected
  const request = await bareRequest(subject)
  const figures: Record<'launch' | 'bare' | 'barer', number[]> = { launch: [], bare: [], barer: [] }
  for (let round = 0; round < ROUNDS * 3; round++) {
    const next = await spec()
    if (round % 3 === 0) {
      figures.launch.push(await timed(() => subject.orchestrator.launch(next)))
      await removeAll(engine, await subject.containers())
    } else {
      const took = await timed(async () => {
        const container = await docker.createContainer(request(next))
        if (round % 3 === 1) await docker.getNetwork(SHIELD_NETWORK).connect({ Container: container.id })
        await container.start()
      })
      figures[round % 3 === 1 ? 'bare' : 'barer'].push(took)
      const filters = { label: [`matchyard.instance=${next.instanceId}`] }
      await removeAll(
        engine,
        (await docker.listContainers({ all: true, filters })).map(({ Id }) => Id),
      )
    }
  }
  for (const values of Object.values(figures)) values.sort((a, b) => a - b)
  const row = (name: string, values: readonly number[]) =>
    `| ${name} | ${at(values, 0.5).toFixed(0)} | ${at(values, 0.1).toFixed(0)} | ${at(values, 0.9).toFixed(0)} |`
  const more = (at(figures.launch, 0.5) / at(figures.bare, 0.5) - 1) * 100
  const { Version } = await docker.version()
  console.log(`engine ${Version}, Node ${process.version}, ${cpus().length} CPUs, ${ROUNDS} of each\n`)
  console.log('| ms | median | p10 | p90 |\n|---|---|---|---|')
  console.log(row('`launch`', figures.launch))
  console.log(row('the same container by bare create, connect, start', figures.bare))
  console.log(row('without its second network: bare create, start', figures.barer))
  console.log(`\nThe median launch takes ${more.toFixed(1)} % more than the same container.`)
} finally {
  await subject.dispose()
  await engine.stop()
}
