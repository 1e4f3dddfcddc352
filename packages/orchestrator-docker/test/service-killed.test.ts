import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { orchestratorProbe } from '@matchyard/testkit'
import { expect } from 'vitest'
import { testEngine } from './support/engine'
import { dockerHarness } from './support/harness'
import { EngineCases, type TestEngine } from './support/with-engine'

const { assertStarts, eventually, running, specFor, untilExit, untilState } = orchestratorProbe

const SERVICE = fileURLToPath(new URL('./support/service.ts', import.meta.url))
const ROUNDS = Number(process.env.SERVICE_KILL_ROUNDS ?? 6)

/** Launches in a process of its own and kills that; answers how long the launch took, or undefined when it was cut off. */
async function launchAndKill(request: object, afterMs: number | undefined): Promise<number | undefined> {
  const service = spawn(process.execPath, ['--conditions=@matchyard/source', '--import', 'tsx', SERVICE], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, REQUEST: JSON.stringify(request) },
  })
  let said = ''
  service.stdout.on('data', (data) => {
    said += data
  })
  await eventually('the service is about to launch', async () => said.includes('launching'))
  const begun = performance.now()
  if (afterMs !== undefined) setTimeout(() => service.kill('SIGKILL'), afterMs)
  else {
    await eventually('the service has launched', async () => said.includes('launched'))
    service.kill('SIGKILL')
  }
  const took = performance.now() - begun
  await once(service, 'exit')
  return said.includes('launched') ? took : undefined
}

const cases = new EngineCases<TestEngine>()

cases.add(
  'a service killed at any moment of a launch leaves one container, found again by the next service',
  async (engine) => {
    const subject = await dockerHarness(engine, 'zip').open()
    const outcomes = { cutOff: 0, answered: 0 }
    let longest = 0
    try {
      await running(subject) // so that a launch is a launch alone
      for (let round = 0; round < ROUNDS; round++) {
        const spec = await specFor(subject)
        const { dataDirectory, installationId } = subject
        // The first one is let through, to know how long a launch takes here; the others are spread over that.
        const moment = round === 0 ? undefined : (longest * (round - 1)) / (ROUNDS - 1)
        const request = { dataDirectory, installationId, engineHost: engine.host, spec }
        const took = await launchAndKill(request, moment)
        longest = Math.max(longest, took ?? 0)
        outcomes[took === undefined ? 'cutOff' : 'answered']++

        const next = await subject.reopen()
        expect(await next.launch(spec), `round ${round}`).toEqual({ ok: true })
        await untilState(next, spec, 'ready')
        await next.stop(spec.instanceId, { graceMs: 0 })
        await untilExit(next, spec)
        await assertStarts(next, spec.instanceId, 1)
        await next.forget(spec.instanceId)
        expect(await subject.containers(), 'the one that was launched first is left').toHaveLength(1)
      }
    } finally {
      await subject.dispose()
    }
    // A run in which only one of the two happened would have tested nothing.
    expect(outcomes.cutOff, JSON.stringify(outcomes)).toBeGreaterThan(0)
    expect(outcomes.answered).toBeGreaterThan(0)
  },
  600_000,
)

cases.register(await testEngine())
