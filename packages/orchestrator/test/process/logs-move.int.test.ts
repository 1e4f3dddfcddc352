import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { afterEach, expect, it } from 'vitest'
import { type ProcessUnderTest, processHarness } from '../../src/process/testing/harness'

const { eventually, running, untilExit } = orchestratorProbe

let subject: ProcessUnderTest
afterEach(() => subject.dispose())

/** Number of reads, more than fit into the time of moving a folder. */
const READS = 60

it('tells the log of a game server as its files are moved away: whoever read just then was told of none', async () => {
  subject = await processHarness({ isolation: 'none', limits: 'none' }).open()
  for (let round = 0; round < 4; round++) {
    const { spec } = await running(subject)
    const logs = () => subject.orchestrator.logs(spec.instanceId, { limit: 10 })
    await eventually('something is printed', async () => (await logs()).length > 0)
    await subject.orchestrator.stop(spec.instanceId, { graceMs: 10_000 })
    await untilExit(subject.orchestrator, spec)
    const whole = await logs()
    const [, ...seen] = await Promise.all([
      subject.orchestrator.forget(spec.instanceId),
      ...Array.from({ length: READS }, async (_, read) => {
        for (let turn = 0; turn < read; turn++) await new Promise((resolve) => setImmediate(resolve))
        return logs()
      }),
    ])
    for (const lines of seen) expect(lines).toEqual(whole)
  }
})
