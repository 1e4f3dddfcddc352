import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { EngineCases } from '@matchyard/tooling/engine-cases'
import { expect } from 'vitest'
import { type OwnEngine, ownEngine } from '../../src/docker/testing/engine'
import { dockerHarness } from '../../src/docker/testing/harness'

const { running, seen, specFor, untilState, untilExit, eventually, tell } = orchestratorProbe

const AWAY = /the container engine does not answer/

const cases = new EngineCases<OwnEngine>()

cases.add(
  'without the engine a launch says so and may be tried again; back again, the same launch runs',
  async (engine) => {
    const subject = await dockerHarness(engine, 'zip').open()
    try {
      const spec = await specFor(subject)
      const hints: string[] = []
      subject.orchestrator.subscribe((instanceId) => hints.push(instanceId))
      await engine.kill()
      expect(await subject.orchestrator.launch(spec)).toMatchObject({
        ok: false,
        reason: 'retry',
        message: expect.stringMatching(AWAY),
      })
      await expect(subject.orchestrator.observe()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      await expect(subject.orchestrator.stop(spec.instanceId, { graceMs: 0 })).rejects.toThrow(AWAY)
      expect(await subject.orchestrator.prepareImage('local/x:1', () => {})).toMatchObject({
        ok: false,
        message: expect.stringMatching(/the container engine of this installation does not answer/),
      })
      // A service that starts meanwhile reports that the engine is away, and works when the engine is back.
      const next = await subject.reopen()
      expect(next.capabilities.limitations.join()).toMatch(/does not answer/)
      await engine.restart()
      expect(await next.launch(spec)).toEqual({ ok: true })
      await untilState(next, spec, 'ready')
      await eventually('the hints go on', async () => hints.includes(spec.instanceId))
      expect(await subject.containers()).toHaveLength(1)
    } finally {
      await subject.dispose()
    }
  },
  180_000,
)

cases.add(
  'an engine that goes in the middle of launches leaves nothing that runs twice or stays',
  async (engine) => {
    const subject = await dockerHarness(engine, 'zip').open()
    try {
      await running(subject) // so that everything is fetched and unpacked
      const specs = await Promise.all([1, 2, 3].map(() => specFor(subject)))
      const launches = Promise.all(specs.map((spec) => subject.orchestrator.launch(spec)))
      await eventually('a launch is under way', async () => (await subject.containers()).length > 1)
      await engine.kill()
      for (const result of await launches) {
        // An engine that goes while it starts a container is a fault of its machine.
        const mayBe = result.ok || (['retry', 'machine'].includes(result.reason) && result.message.length > 10)
        expect(mayBe, JSON.stringify(result)).toBe(true)
      }
      await engine.restart()
      // As core does: the attempt was abandoned, and another one is launched.
      for (const spec of specs) {
        const second = { ...spec, attempt: 2 }
        await subject.orchestrator.forget(spec.instanceId)
        expect(await subject.orchestrator.launch(second)).toEqual({ ok: true })
        await untilState(subject.orchestrator, second, 'ready')
        expect((await seen(subject.orchestrator, spec.instanceId)).map(({ attempt }) => attempt)).toEqual([2])
        await subject.orchestrator.stop(spec.instanceId, { graceMs: 0 })
        await untilExit(subject.orchestrator, second)
        await subject.orchestrator.forget(spec.instanceId)
      }
      for (const { instanceId } of await subject.orchestrator.observe()) await subject.orchestrator.forget(instanceId)
      await eventually('nothing is left', async () => (await subject.containers()).length === 0)
    } finally {
      await subject.dispose()
    }
  },
  180_000,
)

cases.add(
  'a server that ended with the engine is told as ended',
  async (engine) => {
    const subject = await dockerHarness(engine, 'zip').open()
    try {
      const { spec, control } = await running(subject)
      await engine.kill()
      await engine.restart()
      const exit = await untilExit(subject.orchestrator, spec)
      expect(exit.code === 0 || exit.signal !== null, JSON.stringify(exit)).toBe(true)
      expect(await tell(control, { do: 'report' }).catch(() => undefined)).toBeUndefined()
    } finally {
      await subject.dispose()
    }
  },
  180_000,
)

cases.register(await ownEngine())
