import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { afterEach, describe, expect, it } from 'vitest'
import { type ProcessUnderTest, processHarness } from '../../src/process/testing/harness'

const { echoes, eventually, port, portsFor, reportOf, running, seen, tell, untilExit } = orchestratorProbe

let subject: ProcessUnderTest
afterEach(() => subject.dispose())

const fileOf = (instanceId: string, name: string) => join(subject.dataDirectory, 'servers', instanceId, '1', name)
const readJson = async (instanceId: string, name: string) =>
  JSON.parse(await readFile(fileOf(instanceId, name), 'utf8'))

async function killSupervisor(instanceId: string): Promise<void> {
  const { pid } = await readJson(instanceId, 'claim.json')
  process.kill(pid, 'SIGKILL')
  await eventually('the supervisor is gone', async () => {
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z')
    return /\) [ZX]/.test(state)
  })
}

describe.each([
  ['in a sandbox', {}],
  ['without isolation and limits', { isolation: 'none', limits: 'none' }],
] as const)('%s, when the supervisor is killed', (_title, variation) => {
  it('the server plays on, is found again, and can be stopped', async () => {
    subject = await processHarness(variation).open()
    const { spec, report } = await running(subject)
    await killSupervisor(spec.instanceId)
    await subject.reopen()
    expect((await seen(subject.orchestrator, spec.instanceId)).map(({ state }) => state)).toEqual(['ready'])
    expect((await reportOf(port(spec))).startId).toBe(report.startId)
    expect(await echoes(port(spec, 'game'))).toBe(true)
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 5_000 })
    const exit = await untilExit(subject.orchestrator, spec)
    expect(exit).toMatchObject({ code: null, signal: null, reason: 'supervisor_lost' })
    const lines = await subject.orchestrator.logs(spec.instanceId, { limit: 10 })
    expect(lines.at(-1)?.message).toBe('asked to stop')
  })

  it('the server is killed when it does not mind a stop', async () => {
    subject = await processHarness(variation).open()
    const { spec } = await running(subject, { startupArgs: '--ignore-term' })
    await killSupervisor(spec.instanceId)
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 50 })
    await untilExit(subject.orchestrator, spec)
    expect(await echoes(port(spec, 'game'), 2)).toBe(false)
  })

  it('what a start script started may save in a stop', async () => {
    subject = await processHarness(variation).open()
    const build = await subject.build('scripted')
    const { spec, report } = await running(subject, { build, startupArgs: '--save 1000' })
    await killSupervisor(spec.instanceId)
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 10_000 })
    await untilExit(subject.orchestrator, spec)
    const lines = await subject.orchestrator.logs(spec.instanceId, { limit: 10 })
    expect(lines.at(-1)?.message).toBe(`saved ${report.startId}`)
  })

  it('what it had started beside itself ends with the server', async () => {
    subject = await processHarness(variation).open()
    const { spec, control } = await running(subject)
    const [daemon] = await portsFor(subject, [{ ...port(spec, 'game'), name: 'daemon' }])
    if (daemon === undefined) throw new Error('no port')
    await tell(control, { do: 'detach', port: daemon.externalPort })
    expect(await echoes(daemon)).toBe(true)
    await killSupervisor(spec.instanceId)
    await tell(control, { do: 'exit', code: 0 })
    await untilExit(subject.orchestrator, spec)
    expect(await echoes(daemon, 2)).toBe(false)
  })
})

describe.each([
  ['in a sandbox', {}],
  ['without isolation and limits', { isolation: 'none', limits: 'none' }],
] as const)('%s, in a stop', (_title, variation) => {
  it('what a start script moved to a session of its own is asked, and may save', async () => {
    subject = await processHarness(variation).open()
    const build = await subject.build('scripted')
    const { spec, report } = await running(subject, { build, startupArgs: '--by setsid --save 1000' })
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 10_000 })
    expect(await untilExit(subject.orchestrator, spec)).toMatchObject({ code: null, signal: 'SIGTERM' })
    const lines = await subject.orchestrator.logs(spec.instanceId, { limit: 10 })
    expect(lines.at(-1)?.message).toBe(`saved ${report.startId}`)
  })

  it('the exit says so where something had to be killed after the first process', async () => {
    subject = await processHarness(variation).open()
    const build = await subject.build('scripted')
    const { spec } = await running(subject, { build, startupArgs: '--ignore-term' })
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 200 })
    expect(await untilExit(subject.orchestrator, spec)).toMatchObject({ code: null, signal: 'SIGKILL' })
  })
})

describe('when the service goes down in the grace of a stop', () => {
  it('the server is killed all the same when the grace is over', async () => {
    subject = await processHarness().open()
    const { spec } = await running(subject, { startupArgs: '--ignore-term' })
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 100 })
    await subject.orchestrator.close()
    await subject.reopen()
    expect(await untilExit(subject.orchestrator, spec)).toMatchObject({ code: null, signal: 'SIGKILL' })
  })
})

describe('after the machine was restarted', () => {
  it('a server is told as ended, at the time it was last seen', async () => {
    subject = await processHarness().open()
    const { spec } = await running(subject)
    // The record is of another boot, in which these process ids belong to other processes.
    const claim = await readJson(spec.instanceId, 'claim.json')
    await writeFile(fileOf(spec.instanceId, 'claim.json'), JSON.stringify({ ...claim, bootId: 'another boot' }))
    const exit = await untilExit(subject.orchestrator, spec)
    expect(exit).toMatchObject({ code: null, signal: null, reason: 'machine_restarted' })
    expect(Math.abs(Date.now() - exit.at)).toBeLessThan(60_000)
    await writeFile(fileOf(spec.instanceId, 'claim.json'), JSON.stringify(claim))
    process.kill(claim.pid, 'SIGTERM')
    await eventually('it is gone', async () => !(await echoes(port(spec, 'game'), 1)))
  })
})

describe('a server that writes without end', () => {
  it('keeps its logs within their bound, and the newest lines in them', async () => {
    const logBytes = 100_000
    subject = await processHarness({ logBytes }).open()
    const { spec, control } = await running(subject)
    const text = `${'x'.repeat(999)}\n`.repeat(3_000)
    for (let i = 0; i < 4; i++) await tell(control, { do: 'print', stream: 'stdout', text })
    await tell(control, { do: 'print', stream: 'stdout', text: `${'long '.repeat(5_000)}\nthe end\n` })
    const size = async (name: string) => (await stat(fileOf(spec.instanceId, name)).catch(() => ({ size: 0 }))).size
    await eventually('the output is taken in', async () => {
      return (await subject.orchestrator.logs(spec.instanceId, { limit: 1 }))[0]?.message === 'the end'
    })
    const journals = (await size('journal.log')) + (await size('journal.1.log'))
    expect(journals).toBeGreaterThan(0)
    expect(journals).toBeLessThan(logBytes + 10_000)
    await eventually('the raw file is cut', async () => (await size('stdout')) < 1024 * 1024)
    const lines = await subject.orchestrator.logs(spec.instanceId, { limit: 10_000 })
    expect(Math.max(...lines.map(({ message }) => message.length))).toBeLessThanOrEqual(8 * 1024)
    await tell(control, { do: 'exit', code: 0 })
    await untilExit(subject.orchestrator, spec)
    expect((await subject.orchestrator.logs(spec.instanceId, { limit: 1 }))[0]?.message).toBe('the end')
  })
})
