import assert from 'node:assert/strict'
import type { Where } from '@matchyard/core/ports'
import { area } from './harness'
import {
  assertStarts,
  CONTROL,
  crash,
  GAME,
  isFirstProcess,
  placed,
  port,
  running,
  seen,
  seenStates,
  specFor,
  untilExit,
  untilState,
} from './launches'
import { freeDatagramPort } from './occupy'
import { echoes, eventually, reportOf, tell } from './probe-client'

const it = area('end')
const GRACE_MS = 10_000

export const endCases = [
  it('removing files of deleted builds harms nothing that runs, and what comes after', async (subject) => {
    const { spec } = await running(subject)
    await Promise.all([subject.orchestrator.prune(), subject.orchestrator.prune()])
    await untilState(subject.orchestrator, spec, 'ready')
    await running(subject)
  }),

  it('a stop asks, and the server ends as it likes', async (subject) => {
    const { spec } = await running(subject)
    await subject.orchestrator.stop(spec.instanceId, { graceMs: GRACE_MS })
    const { code, signal } = await untilExit(subject.orchestrator, spec)
    assert.deepEqual({ code, signal }, { code: 0, signal: null })
    const lines = await subject.orchestrator.logs(spec.instanceId, { limit: 10 })
    assert.equal(lines.at(-1)?.message, 'asked to stop')
  }),

  it('a server that does not mind is killed when the grace is over', async (subject) => {
    const { spec } = await running(subject, { startupArgs: '--ignore-term' })
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 100 })
    await subject.orchestrator.stop(spec.instanceId, { graceMs: GRACE_MS }) // a repeated stop does not extend the grace period
    const { code, signal } = await untilExit(subject.orchestrator, spec)
    assert.deepEqual({ code, signal }, { code: null, signal: 'SIGKILL' })
    const lines = await subject.orchestrator.logs(spec.instanceId, { limit: 100 })
    assert.ok(
      lines.some(({ message }) => message === 'asked to stop'),
      'it was asked first',
    )
  }),

  it('what a start script started may save in a stop (or its platform says that a server is the first process)', async (subject) => {
    const build = await subject.build('scripted')
    const { spec, report } = await running(subject, { build, startupArgs: '--save 1500' })
    await subject.orchestrator.stop(spec.instanceId, { graceMs: GRACE_MS })
    await untilExit(subject.orchestrator, spec)
    if (isFirstProcess(subject.orchestrator)) return // in a container, a start script must use exec
    const lines = await subject.orchestrator.logs(spec.instanceId, { limit: 10 })
    assert.equal(lines.at(-1)?.message, `saved ${report.startId}`)
  }),

  it('what a start script started and does not mind a stop is killed when the grace is over', async (subject) => {
    const build = await subject.build('scripted')
    const { spec } = await running(subject, { build, startupArgs: '--ignore-term' })
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 100 })
    await untilExit(subject.orchestrator, spec)
    assert.equal(await echoes(port(spec, 'game'), 2), false)
  }),

  it('a stop may be repeated, also of what has ended or never was', async (subject) => {
    const { spec } = await running(subject)
    for (let i = 0; i < 3; i++) await subject.orchestrator.stop(spec.instanceId, { graceMs: GRACE_MS })
    const first = await untilExit(subject.orchestrator, spec)
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 0 })
    await subject.orchestrator.stop('srv_never', { graceMs: 0 })
    assert.deepEqual((await seen(subject.orchestrator, spec.instanceId))[0]?.exit, first)
  }),

  it('what a server started ends with it, also what left its process group', async (subject) => {
    const { spec, control } = await running(subject)
    const { host } = port(spec)
    const extra = { ...GAME, name: 'daemon', host, externalPort: await freeDatagramPort() }
    await tell(control, { do: 'detach', port: extra.externalPort })
    await tell(control, { do: 'exit', code: 0 })
    await untilExit(subject.orchestrator, spec)
    // In a container with a separate network, the datagrams never reach the process, so there this check always passes.
    assert.equal(await echoes(extra, 2), false)
  }),

  it('the exit code of a crash is told', async (subject) => {
    const { spec, control } = await running(subject)
    await tell(control, { do: 'exit', code: 42 })
    const { code, signal } = await untilExit(subject.orchestrator, spec)
    assert.deepEqual({ code, signal }, { code: 42, signal: null })
  }),

  it('the signal of a crash is told by its name (or says that no signal of its own ends a server)', async (subject) => {
    const { spec, control } = await running(subject)
    const told = await crash(subject.orchestrator, control)
    const { code, signal } = await untilExit(subject.orchestrator, spec)
    assert.deepEqual({ code, signal }, told)
  }),

  it('a server that exits at once was launched, and its exit and its last words are there', async (subject) => {
    const spec = await specFor(subject, { startupArgs: '--say "no map found" --exit 3' })
    assert.deepEqual(await subject.orchestrator.launch(spec), { ok: true })
    assert.equal((await untilExit(subject.orchestrator, spec)).code, 3)
    const lines = await subject.orchestrator.logs(spec.instanceId, { limit: 10 })
    assert.equal(lines.at(-1)?.message, 'no map found')
  }),

  it('a restart in place is a new attempt on the same ports (or on those that the platform gives it), and the old one is no longer observed', async (subject) => {
    const { spec, control, report } = await running(subject)
    await tell(control, { do: 'exit', code: 1 })
    await untilExit(subject.orchestrator, spec)
    const again = { ...spec, attempt: 2 }
    assert.deepEqual(await subject.orchestrator.launch(again), { ok: true })
    await untilState(subject.orchestrator, again, 'ready')
    const next = await placed(subject, again)
    assert.notEqual((await reportOf(port(next))).startId, report.startId)
    assert.deepEqual(
      (await seen(subject.orchestrator, spec.instanceId)).map(({ attempt }) => attempt),
      [2],
    )
    await assertStarts(subject.orchestrator, spec.instanceId, 2)
  }),

  it('an ended server is observed until it is forgotten; its logs stay', async (subject) => {
    const { spec, control } = await running(subject)
    await tell(control, { do: 'exit', code: 5 })
    const exit = await untilExit(subject.orchestrator, spec)
    const { instanceId, attempt } = spec
    assert.deepEqual(await seenStates(subject.orchestrator, instanceId), [
      { instanceId, attempt, state: 'exited', exit },
    ])
    const among = await subject.orchestrator.observe(undefined, { among: new Set([instanceId, 'srv_never']) })
    assert.deepEqual(
      among.filter((one) => one.instanceId === instanceId),
      await seen(subject.orchestrator, instanceId),
    )
    await subject.orchestrator.forget(instanceId)
    await subject.orchestrator.forget(instanceId)
    await subject.orchestrator.forget('srv_never')
    assert.deepEqual(await seen(subject.orchestrator, instanceId), [])
    await assertStarts(subject.orchestrator, instanceId, 1)
    await subject.reopen()
    assert.deepEqual(await seen(subject.orchestrator, instanceId), [])
    await assertStarts(subject.orchestrator, instanceId, 1)
  }),

  it('a call about one instance may be told its region, and finds what it finds without', async (subject) => {
    const { spec } = await running(subject)
    const { instanceId, region } = spec
    const of = async (where?: Where) =>
      (await subject.orchestrator.observe(instanceId, where)).filter((one) => one.instanceId === instanceId)
    assert.deepEqual(await of({ region }), await of())
    assert.equal((await of({ region }))[0]?.state, 'ready')
    await subject.orchestrator.stop(instanceId, { graceMs: GRACE_MS, region })
    const exit = await untilExit(subject.orchestrator, spec)
    assert.deepEqual((await of({ region }))[0]?.exit, exit)
    const lines = await subject.orchestrator.logs(instanceId, { limit: 10, region })
    assert.deepEqual(lines, await subject.orchestrator.logs(instanceId, { limit: 10 }))
    assert.equal(lines.at(-1)?.message, 'asked to stop')
    await subject.orchestrator.forget(instanceId, { region })
    assert.deepEqual(await of({ region }), [])
  }),

  it('forgetting a server that runs changes nothing', async (subject) => {
    const { spec, report } = await running(subject)
    await subject.orchestrator.forget(spec.instanceId)
    assert.equal((await seen(subject.orchestrator, spec.instanceId))[0]?.state, 'ready')
    assert.equal((await reportOf(port(spec))).startId, report.startId)
  }),

  it('a change of state is hinted at', async (subject) => {
    const hints = new Set<string>()
    const unsubscribe = subject.orchestrator.subscribe((instanceId) => hints.add(instanceId))
    const asked = await specFor(subject, { requests: [CONTROL] })
    await subject.orchestrator.launch(asked)
    await eventually('a hint that it is up', async () => hints.has(asked.instanceId))
    await untilState(subject.orchestrator, asked, 'ready')
    const spec = await placed(subject, asked)
    await eventually('the last hint about that', async () => {
      hints.clear()
      return true
    })
    await tell(port(spec), { do: 'exit', code: 0 })
    await eventually('a hint that it ended', async () => hints.has(spec.instanceId))
    unsubscribe()
  }),
]
