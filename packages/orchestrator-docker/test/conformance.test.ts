import { orchestratorConformance } from '@matchyard/testkit'
import { testEngine } from './support/engine'
import { dockerHarness } from './support/harness'
import { EngineCases, type TestEngine } from './support/with-engine'

const cases = new EngineCases<TestEngine>()
for (const kind of ['zip', 'docker_image'] as const) {
  for (const item of orchestratorConformance()) {
    cases.add(`${kind}: ${item.name}`, (engine) => item.run(dockerHarness(engine, kind)))
  }
}
cases.register(await testEngine())
