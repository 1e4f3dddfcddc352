import { orchestratorConformance } from '@matchyard/testkit/orchestrator'
import { EngineCases } from '@matchyard/tooling/engine-cases'
import { type TestEngine, testEngine } from '../src/testing/engine'
import { dockerHarness } from '../src/testing/harness'

const cases = new EngineCases<TestEngine>()
for (const kind of ['zip', 'docker_image'] as const) {
  for (const item of orchestratorConformance()) {
    cases.add(`${kind}: ${item.name}`, (engine) => item.run(dockerHarness(engine, kind)))
  }
}
cases.register(await testEngine())
