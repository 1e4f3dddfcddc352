import assert from 'node:assert/strict'
import { area } from './harness'
import { running } from './launches'
import { eventually, tell } from './probe-client'

const it = area('logs')

export const logCases = [
  it('hold both streams (or say that they are one) line by line, in order, each with its time', async (subject) => {
    const before = Date.now()
    const { spec, control } = await running(subject)
    await tell(control, { do: 'print', stream: 'stdout', text: 'one\ntwo' })
    await tell(control, { do: 'print', stream: 'stdout', text: ' and a half\nüml\n' })
    await tell(control, { do: 'print', stream: 'stderr', text: 'trouble\n' })
    const lines = await eventually('the lines are there', async () => {
      const read = await subject.orchestrator.logs(spec.instanceId, { limit: 100 })
      return read.length >= 5 ? read : undefined
    })
    const isOne = subject.orchestrator.capabilities.limitations.some((sentence) => /stderr/.test(sentence))
    const of = (stream: string) => lines.filter((line) => line.stream === stream).map(({ message }) => message)
    const out = ['one', 'two and a half', 'üml']
    if (isOne) assert.deepEqual(of('stdout').slice(1).sort(), [...out, 'trouble'].sort())
    else assert.deepEqual([of('stdout').slice(1), of('stderr')], [out, ['trouble']])
    const times = lines.map(({ at }) => at)
    assert.deepEqual(
      times,
      [...times].sort((a, b) => a - b),
    )
    for (const at of times) assert.ok(at >= before - 1_000 && at <= Date.now() + 1_000, `${at} is a time of this test`)
  }),

  it('answer the newest lines up to a limit, oldest first', async (subject) => {
    const { spec, control } = await running(subject)
    const text = Array.from({ length: 50 }, (_, i) => `line ${i}\n`).join('')
    await tell(control, { do: 'print', stream: 'stdout', text })
    await eventually('the last line is there', async () => {
      return (await subject.orchestrator.logs(spec.instanceId, { limit: 1 }))[0]?.message === 'line 49'
    })
    const newest = await subject.orchestrator.logs(spec.instanceId, { limit: 3 })
    assert.deepEqual(
      newest.map(({ message }) => message),
      ['line 47', 'line 48', 'line 49'],
    )
    assert.equal((await subject.orchestrator.logs(spec.instanceId, { limit: 1_000 })).length, 51)
  }),

  it('answer what came at or after an instant', async (subject) => {
    const { spec, control } = await running(subject)
    const all = () => subject.orchestrator.logs(spec.instanceId, { limit: 100 })
    await eventually('the first line is there', async () => (await all()).length === 1)
    const first = (await all())[0]
    assert.ok(first)
    // The two log lines need different times, so the clock must advance by more than a millisecond before the second
    // line.
    await eventually('time has passed', async () => Date.now() > first.at + 1)
    await tell(control, { do: 'print', stream: 'stdout', text: 'later\n' })
    await eventually('the later line is there', async () => (await all()).length === 2)
    const since = (at: number) => subject.orchestrator.logs(spec.instanceId, { limit: 100, since: at })
    assert.deepEqual(
      (await since(first.at + 1)).map(({ message }) => message),
      ['later'],
    )
    assert.equal((await since(first.at)).length, 2)
    assert.deepEqual(await since(Date.now() + 60_000), [])
  }),

  it('survive the service', async (subject) => {
    const { spec, control } = await running(subject)
    await subject.orchestrator.close()
    await tell(control, { do: 'print', stream: 'stdout', text: 'nobody listened\n' })
    await subject.reopen()
    await eventually('the line is there', async () => {
      const [line] = await subject.orchestrator.logs(spec.instanceId, { limit: 1 })
      return line?.message === 'nobody listened'
    })
  }),

  it('of an unknown server are empty', async (subject) => {
    assert.deepEqual(await subject.orchestrator.logs('srv_never', { limit: 10 }), [])
  }),
]
