import assert from 'node:assert/strict'
import { area } from './harness'
import {
  assertGone,
  assertStarts,
  crash,
  placed,
  port,
  portsFor,
  running,
  seen,
  seenStates,
  specFor,
  untilExit,
  untilState,
} from './launches'
import { eventually, type ProbeReport, reportOf, tell } from './probe-client'

const it = area('crash of the service')

export const crashCases = [
  it('a server goes on, is found again, and can be stopped', async (subject) => {
    const { spec, control, report } = await running(subject)
    await subject.reopen()
    const { instanceId, attempt } = spec
    assert.deepEqual(await seenStates(subject.orchestrator, instanceId), [
      { instanceId, attempt, state: 'ready', exit: null },
    ])
    assert.equal((await reportOf(control)).startId, report.startId)
    await subject.orchestrator.stop(instanceId, { graceMs: 10_000 })
    assert.equal((await untilExit(subject.orchestrator, spec)).code, 0)
  }),

  it('what is kept of one server being damaged costs no other anything, and what runs of it can be stopped', async (subject) => {
    const [hurt, other] = [await running(subject), await running(subject)]
    await subject.damage(hurt.spec.instanceId)
    for (const look of ['the same service', 'the next service']) {
      if (look === 'the next service') await subject.reopen()
      const fresh = await running(subject)
      await subject.orchestrator.stop(fresh.spec.instanceId, { graceMs: 10_000 })
      assert.equal((await untilExit(subject.orchestrator, fresh.spec)).code, 0, look)
      await subject.orchestrator.forget(fresh.spec.instanceId)
      assert.equal((await seen(subject.orchestrator, other.spec.instanceId))[0]?.state, 'ready', look)
      assert.equal((await reportOf(other.control)).startId, other.report.startId, look)
    }
    // The adapter may keep or lose this server. In either case, every server that the adapter still lists must end.
    await subject.orchestrator.stop(hurt.spec.instanceId, { graceMs: 0 })
    await eventually('the damaged one has ended', async () =>
      (await seen(subject.orchestrator, hurt.spec.instanceId)).every(({ state }) => state === 'exited'),
    )
    await subject.orchestrator.forget(hurt.spec.instanceId)
    assert.deepEqual(await seen(subject.orchestrator, hurt.spec.instanceId), [])
  }),

  it('an exit while the service was away is told with its code', async (subject) => {
    const [a, b] = [await running(subject), await running(subject)]
    const { capabilities } = subject.orchestrator
    await subject.orchestrator.close()
    await tell(a.control, { do: 'exit', code: 7 })
    const told = await crash({ capabilities }, b.control)
    await subject.reopen()
    assert.equal((await untilExit(subject.orchestrator, a.spec)).code, 7)
    const { code, signal } = await untilExit(subject.orchestrator, b.spec)
    assert.deepEqual({ code, signal }, told)
  }),

  it('an exit that was seen is told the same by the next service', async (subject) => {
    const { spec, control } = await running(subject)
    await tell(control, { do: 'exit', code: 9 })
    const exit = await untilExit(subject.orchestrator, spec)
    await subject.reopen()
    assert.deepEqual((await seen(subject.orchestrator, spec.instanceId))[0]?.exit, exit)
  }),

  it('a launch asked for twice at once starts one server', async (subject) => {
    const spec = await specFor(subject)
    const results = await Promise.all([1, 2, 3, 4].map(() => subject.orchestrator.launch(spec)))
    assert.deepEqual(results, [{ ok: true }, { ok: true }, { ok: true }, { ok: true }])
    await untilState(subject.orchestrator, spec, 'ready')
    assert.equal((await seen(subject.orchestrator, spec.instanceId)).length, 1)
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 0 })
    await untilExit(subject.orchestrator, spec)
    await assertStarts(subject.orchestrator, spec.instanceId, 1)
  }),

  it('a launch repeated after its server ran, ended or was forgotten starts nothing', async (subject) => {
    const { spec, control } = await running(subject)
    assert.deepEqual(await subject.orchestrator.launch(spec), { ok: true })
    await tell(control, { do: 'exit', code: 0 })
    await untilExit(subject.orchestrator, spec)
    assert.deepEqual(await subject.orchestrator.launch(spec), { ok: true })
    await subject.reopen()
    assert.deepEqual(await subject.orchestrator.launch(spec), { ok: true })
    await subject.orchestrator.forget(spec.instanceId)
    assert.deepEqual(await subject.orchestrator.launch(spec), { ok: true })
    await assertGone(subject.orchestrator, spec)
    await assertStarts(subject.orchestrator, spec.instanceId, 1)
  }),

  it('a launch whose answer was lost is found, not repeated', async (subject) => {
    for (let round = 0; round < 5; round++) {
      const spec = await specFor(subject)
      // The test abandons the first service at an unknown point of its launch. Then the second service launches the
      // same server.
      const lost = subject.orchestrator.launch(spec).catch(() => undefined)
      const next = await subject.reopen()
      assert.deepEqual(await next.launch(spec), { ok: true })
      await lost
      await untilState(next, spec, 'ready')
      await reportOf(port(await placed(subject, spec)))
      assert.equal((await seen(next, spec.instanceId)).length, 1)
      await next.stop(spec.instanceId, { graceMs: 0 })
      await untilExit(next, spec)
      await assertStarts(next, spec.instanceId, 1)
    }
  }),

  it('a server that no record knows is listed under its instance, and a stop ends it', async (subject) => {
    const { spec, control } = await running(subject)
    const orchestrator = await subject.reopenWithoutData()
    const stray = await eventually('the stray is listed', async () => (await seen(orchestrator, spec.instanceId))[0])
    assert.equal(stray.attempt, spec.attempt)
    assert.notEqual(stray.state, 'exited')
    await orchestrator.stop(spec.instanceId, { graceMs: 0 })
    await eventually('it is gone', async () => {
      const live = (await seen(orchestrator, spec.instanceId)).filter(({ state }) => state !== 'exited')
      const answers = await tell(control, { do: 'report' }).catch(() => undefined)
      return live.length === 0 && answers === undefined
    })
  }),

  it('another installation on the machine is left alone', async (subject) => {
    const { spec, control, report } = await running(subject)
    const neighbour = await subject.neighbour()
    assert.deepEqual(await neighbour.observe(), [])
    await neighbour.stop(spec.instanceId, { graceMs: 0 })
    await neighbour.forget(spec.instanceId)
    assert.deepEqual(await neighbour.logs(spec.instanceId, { limit: 10 }), [])
    assert.equal((await reportOf(control)).startId, report.startId)
    assert.equal((await seen(subject.orchestrator, spec.instanceId))[0]?.state, 'ready')
  }),

  it('an attempt that was overtaken is not launched late, and what ran before it ends', async (subject) => {
    const { spec, control, report } = await running(subject)
    const asked = { ...spec, attempt: 2, networkPorts: await portsFor(subject, spec.portRequests) }
    assert.deepEqual(await subject.orchestrator.launch(asked), { ok: true })
    await untilState(subject.orchestrator, asked, 'ready')
    const second = await placed(subject, asked)
    assert.notEqual((await reportOf(port(second))).startId, report.startId)
    const before = await tell<ProbeReport>(control, { do: 'report' }).catch(() => undefined)
    // By now, another server may have the port of the first attempt.
    assert.notEqual(before?.startId, report.startId)
    const zeroth = { ...spec, attempt: 0 }
    assert.equal((await subject.orchestrator.launch(zeroth)).ok, false)
    assert.deepEqual(
      (await seen(subject.orchestrator, spec.instanceId)).map(({ attempt }) => attempt),
      [2],
    )
  }),
]
