import { fileURLToPath } from 'node:url'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { EngineCases } from '@matchyard/tooling/engine-cases'
import { expect } from 'vitest'
import { type TestEngine, testEngine } from '../../src/docker/testing/engine'
import { dockerHarness } from '../../src/docker/testing/harness'
import { killDuringLaunches } from '../../src/testing/index'

const SERVICE = fileURLToPath(new URL('./support/service.ts', import.meta.url))

const cases = new EngineCases<TestEngine>()

cases.add(
  'a service killed at any moment of a launch leaves one container, found again by the next service',
  async (engine) => {
    const subject = await dockerHarness(engine, 'zip').open()
    try {
      await orchestratorProbe.running(subject) // so that a launch is a launch alone
      await killDuringLaunches(subject, {
        service: SERVICE,
        request: { engineHost: engine.host },
        afterRound: async () => {
          expect(await subject.containers(), 'the one that was launched first is left').toHaveLength(1)
        },
      })
    } finally {
      await subject.dispose()
    }
  },
  600_000,
)

cases.register(await testEngine())
