import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { afterEach, expect, it } from 'vitest'
import type { LaunchRecord } from '../../src/process/attempt-records'
import { type ProcessUnderTest, processHarness } from '../../src/process/testing/harness'

const { running, tell, untilExit } = orchestratorProbe

let subject: ProcessUnderTest
afterEach(() => subject.dispose())

const says = (word: string) => subject.orchestrator.capabilities.limitations.some((said) => said.includes(word))

async function cgroupsOf(instanceId: string): Promise<readonly string[]> {
  const path = join(subject.dataDirectory, 'servers', instanceId, '1', 'record.json')
  return (JSON.parse(await readFile(path, 'utf8')) as LaunchRecord).cgroups
}

/** Returns the first of these files in any of the cgroups. */
async function limit(cgroups: readonly string[], ...names: string[]): Promise<string | undefined> {
  const path = cgroups.flatMap((cgroup) => names.map((name) => join(cgroup, name))).find(existsSync)
  return path === undefined ? undefined : (await readFile(path, 'utf8')).trim()
}

it('sets the limits of the tier, each or says that it is not there, and leaves no cgroup', async () => {
  subject = await processHarness().open()
  const { spec, control } = await running(subject, { tierSize: { cpus: 2, memoryGib: 0.5 } })
  const cgroups = await cgroupsOf(spec.instanceId)
  const memory = await limit(cgroups, 'memory.limit_in_bytes', 'memory.max')
  expect(memory).toBe(says('memory') ? undefined : String(512 * 1024 * 1024))
  const cpu = await limit(cgroups, 'cpu.cfs_quota_us', 'cpu.max')
  expect(cpu?.split(' ')[0]).toBe(says('CPU') ? undefined : '200000')
  expect(await limit(cgroups, 'pids.max')).toBe(says('number of processes') ? undefined : '1024')
  await tell(control, { do: 'exit', code: 0 })
  await untilExit(subject.orchestrator, spec)
  await subject.orchestrator.forget(spec.instanceId)
  expect(cgroups.filter(existsSync)).toEqual([])
})

it('says what it does not limit', async () => {
  subject = await processHarness({ limits: 'none' }).open()
  const { spec } = await running(subject)
  expect(await cgroupsOf(spec.instanceId)).toEqual([])
  expect([says('memory'), says('CPU'), says('number of processes')]).toEqual([true, true, true])
})
