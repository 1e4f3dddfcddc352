import { orchestratorConformance } from '@matchyard/testkit/orchestrator'
import { EngineCases } from '@matchyard/tooling/engine-cases'
import { type TestEngine, testEngine } from '../../src/docker/testing/engine'
import { dockerHarness } from '../../src/docker/testing/harness'

/** Only one case of warm pools runs with images too: the kinds differ only in how a container is made. */
const OF_BOTH_KINDS =
  'warm: what waits is seen by nobody, asked for again in vain, and becomes the launch that takes it'

const cases = new EngineCases<TestEngine>()
for (const kind of ['zip', 'docker_image'] as const) {
  for (const item of orchestratorConformance()) {
    if (kind === 'docker_image' && item.area === 'warm' && item.name !== OF_BOTH_KINDS) continue
    cases.add(`${kind}: ${item.name}`, (engine) => item.run(dockerHarness(engine, kind)))
  }
}
cases.register(await testEngine())
