// `npm run prove -- agones`: runs the conformance suite of orchestrators on the cluster of KUBECONFIG. See
// docs/kubernetes.md.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orchestratorConformance } from '@matchyard/testkit/orchestrator'
import { FIXTURES } from './src/agones/testing/harness'
import { realClusterHarness } from './src/agones/testing/real-cluster'
import { fixtureFiles } from './src/testing/index'

const { KUBECONFIG, PROBE_IMAGES, AGONES_NAMESPACE } = process.env
const [first, second] = process.argv.slice(2)

if (first === '--images') writeImages(second ?? 'probe-images')
else if (!KUBECONFIG || !PROBE_IMAGES) {
  console.error(
    'the proof on a cluster wants KUBECONFIG (a kubeconfig of a cluster with Agones, or a list of them as kubectl takes it) and PROBE_IMAGES (where the images of ' +
      '`npm run prove -- agones --images <folder>` were pushed, as registry/name); docs/kubernetes.md says how.',
  )
  process.exitCode = 2
} else process.exitCode = await prove(KUBECONFIG, PROBE_IMAGES)

/**
 * Runs the suite and returns the exit code. Words on the command line select the cases with one of the words in their
 * name.
 */
async function prove(kubeconfig: string, images: string): Promise<number> {
  const words = process.argv.slice(2)
  const harness = realClusterHarness({
    kubeconfig,
    ...(AGONES_NAMESPACE === undefined ? {} : { namespace: AGONES_NAMESPACE }),
    imageOf: (name) => `${images}-${name}`,
  })
  const cases = orchestratorConformance().filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  )
  let failed = 0
  for (const item of cases) {
    const begun = performance.now()
    const error = await item.run(harness).then(
      () => undefined,
      (error: unknown) => error,
    )
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
    console.log(`${error === undefined ? 'ok    ' : 'FAILED'} ${seconds} s  ${item.name}`)
    if (error === undefined) continue
    failed++
    console.error(error instanceof Error ? (error.stack ?? error.message) : error)
  }
  console.log(`${cases.length - failed} of ${cases.length} cases hold on this cluster`)
  return failed === 0 && cases.length > 0 ? 0 : 1
}

/** Writes a folder with a Dockerfile for each image that the suite launches. */
function writeImages(folder: string): void {
  for (const name of FIXTURES) {
    const files = fixtureFiles(name) ?? []
    for (const { path, content, executable } of files) {
      mkdirSync(dirname(join(folder, name, path)), { recursive: true })
      writeFileSync(join(folder, name, path), content, { mode: executable ? 0o755 : 0o644 })
    }
    const dockerfile = [
      'FROM node:22-slim',
      'WORKDIR /game',
      'COPY . .',
      'USER 65534:65534',
      'ENTRYPOINT ["/game/server"]',
    ]
    writeFileSync(join(folder, name, 'Dockerfile'), `${dockerfile.join('\n')}\n`)
    console.log(`${join(folder, name)} is the image …-${name}`)
  }
}
