import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ProcessUnderTest, processHarness } from '@matchyard/orchestrator/process/testing'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import type { HarmFigure, HarmRow } from '../row'

const { running, specFor, untilExit, untilState } = orchestratorProbe

const RUNNING = 20
const LAUNCHES = 10
const DAMAGED = ['status.json', 'claim.json', 'record.json', 'exit.json', 'ready.json']

interface Side {
  readonly failed: number
  readonly launchMs: number
  readonly readyMs: number
  readonly observeMs: number
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Measures launches while other servers run: until answered, ready and stopped. */
async function measured(subject: ProcessUnderTest): Promise<Side> {
  const [launch, ready, observe]: [number[], number[], number[]] = [[], [], []]
  let failed = 0
  for (let i = 0; i < LAUNCHES; i++) {
    try {
      const spec = await specFor(subject)
      const begun = performance.now()
      const result = await subject.orchestrator.launch(spec)
      if (!result.ok) throw new Error(result.message)
      launch.push(performance.now() - begun)
      await untilState(subject.orchestrator, spec, 'ready')
      ready.push(performance.now() - begun)
      const asked = performance.now()
      await subject.orchestrator.observe()
      observe.push(performance.now() - asked)
      await subject.orchestrator.stop(spec.instanceId, { graceMs: 5_000 })
      await untilExit(subject.orchestrator, spec)
      await subject.orchestrator.forget(spec.instanceId)
    } catch {
      failed++
    }
  }
  return { failed, launchMs: median(launch), readyMs: median(ready), observeMs: median(observe) }
}

/** Imitates a power cut that left the small files of running game servers empty. */
export const row: HarmRow = {
  name: 'damaged-file',
  harm: `one file of each of ${RUNNING} running game servers is emptied; others are launched and stopped`,
  async run(): Promise<readonly HarmFigure[]> {
    const subject = await processHarness({ isolation: 'none', limits: 'none' }).open()
    try {
      const servers = []
      for (let i = 0; i < RUNNING; i++) servers.push(await running(subject))
      const quiet = await measured(subject)
      for (const [i, { spec }] of servers.entries()) {
        const folder = join(subject.dataDirectory, 'servers', spec.instanceId, '1')
        await writeFile(join(folder, DAMAGED[i % DAMAGED.length] ?? ''), '')
      }
      const attacked = await measured(subject)
      return [
        { what: `launches that fail, of ${LAUNCHES}`, unit: '', quiet: quiet.failed, attacked: attacked.failed },
        { what: 'a launch is answered, median', unit: 'ms', quiet: quiet.launchMs, attacked: attacked.launchMs },
        { what: 'a launch is ready, median', unit: 'ms', quiet: quiet.readyMs, attacked: attacked.readyMs },
        { what: 'a look at all of them, median', unit: 'ms', quiet: quiet.observeMs, attacked: attacked.observeMs },
      ]
    } finally {
      await subject.dispose()
    }
  },
}
