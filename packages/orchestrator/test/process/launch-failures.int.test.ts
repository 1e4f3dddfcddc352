import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageUnavailable } from '@matchyard/core/ports'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { afterEach, expect, it } from 'vitest'
import { type ProcessUnderTest, processHarness } from '../../src/process/testing/harness'

const { portsFor, running, seen, specFor, untilState } = orchestratorProbe

let subject: ProcessUnderTest
afterEach(() => subject.dispose())

it('a full disk is told as such, leaves nothing, and does not stand in the way of the next try', async () => {
  subject = await processHarness().open()
  const spec = await specFor(subject)
  for (const trouble of [
    Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }),
    new StorageUnavailable('the disk is full'),
  ]) {
    subject.store.trouble = trouble
    expect(await subject.orchestrator.launch(spec)).toEqual({
      ...{ ok: false, reason: 'machine', message: 'the disk is full' },
    })
    expect(await readdir(join(subject.dataDirectory, 'servers'))).toEqual([])
    expect(await readdir(join(subject.dataDirectory, 'builds'))).toEqual([])
  }
  subject.store.trouble = undefined
  expect(await subject.orchestrator.launch(spec)).toEqual({ ok: true })
  await untilState(subject.orchestrator, spec, 'ready')
})

it('a container image is not for this orchestrator', async () => {
  subject = await processHarness().open()
  const spec = await specFor(subject, { build: { type: 'docker_image', buildId: 'bld_i', image: 'x' } })
  expect(await subject.orchestrator.launch(spec)).toMatchObject({ ok: false, reason: 'final' })
  expect(subject.orchestrator.capabilities.buildTypes).toEqual(['zip'])
})

it('a launch that was stopped before it came about does not come about', async () => {
  subject = await processHarness().open()
  const { spec } = await running(subject)
  const late = { ...spec, attempt: 2, networkPorts: await portsFor(subject, spec.portRequests) }
  const [launched] = await Promise.all([
    subject.orchestrator.launch(late),
    subject.orchestrator.stop(spec.instanceId, { graceMs: 0 }),
  ])
  expect(launched).toEqual({ ok: true })
  await untilState(subject.orchestrator, late, 'exited')
  expect(await subject.orchestrator.launch(late)).toEqual({ ok: true })
  expect((await seen(subject.orchestrator, spec.instanceId)).map(({ state }) => state)).toEqual(['exited'])
})

it('an id that is a path is refused', async () => {
  subject = await processHarness().open()
  const spec = await specFor(subject)
  for (const instanceId of ['../x', '', 'a/b', '.']) {
    await expect(subject.orchestrator.launch({ ...spec, instanceId })).rejects.toThrow(TypeError)
  }
})
