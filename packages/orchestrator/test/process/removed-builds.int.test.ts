import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { expect, it } from 'vitest'
import { processHarness } from '../../src/process/testing/harness'

const { running, untilExit, tell } = orchestratorProbe

/** Runs a test with a server whose build is removed from the store. */
async function ofRemovedBuild(work: (of: Awaited<ReturnType<typeof opened>>) => Promise<void>): Promise<void> {
  const of = await opened()
  try {
    await work(of)
  } finally {
    await of.subject.dispose()
  }
}

async function opened() {
  const subject = await processHarness().open()
  const { spec, control } = await running(subject)
  const unpacked = () => readdir(join(subject.dataDirectory, 'builds'))
  expect(await unpacked()).toHaveLength(1)
  return {
    ...{ subject, spec, control, unpacked },
    remove: () => {
      subject.store.has = async () => false
    },
  }
}

it('what was unpacked of a build goes with the build, while the service runs', () =>
  ofRemovedBuild(async ({ subject, spec, control, unpacked, remove }) => {
    await tell(control, { do: 'exit', code: 0 })
    await untilExit(subject.orchestrator, spec)
    await subject.orchestrator.forget(spec.instanceId)
    await subject.orchestrator.prune()
    expect(await unpacked()).toHaveLength(1)
    remove()
    await subject.orchestrator.prune()
    expect(await unpacked()).toEqual([])
  }))

it('what a server still has is left, and goes once that is forgotten', () =>
  ofRemovedBuild(async ({ subject, spec, control, unpacked, remove }) => {
    remove()
    await subject.orchestrator.prune()
    expect(await unpacked()).toHaveLength(1)
    await tell(control, { do: 'exit', code: 0 })
    await untilExit(subject.orchestrator, spec)
    await subject.orchestrator.forget(spec.instanceId)
    expect(await unpacked()).toEqual([])
  }))
