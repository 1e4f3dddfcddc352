import { FakeClock, FakeLogger } from '@matchyard/testkit'
import { expect, it } from 'vitest'
import type { Service } from '../../src/node/service'
import { HostedLoops } from '../../src/worker/hosted-loops'
import type { MachineLoop } from '../../src/worker/machine-loop'
import { settled } from '../use-cases/service'

/** Returns the loops of one machine, which runs the servers `srv_<even number>`, with counts of the reads and of its work. */
function hosting() {
  const clock = new FakeClock()
  const seen = { reads: [] as number[], looks: [] as string[], missed: 0, fails: false }
  const getMany = async (_kind: string, ids: readonly string[]) => {
    seen.reads.push(ids.length)
    if (seen.fails) throw new Error('the storage does not answer')
    return ids.map((id) => ({ id, nodeId: Number(id.slice(4)) % 2 === 0 ? 'fra-1' : 'fra-2' }))
  }
  const loops = new HostedLoops({
    clock,
    timers: clock,
    logger: new FakeLogger(),
    storage: { getMany },
  } as never as Service)
  const loop = { lookAtServer: (id: string) => seen.looks.push(id), missed: () => seen.missed++ }
  loops.add('fra-1', loop as never as MachineLoop)
  const pass = async (ms: number) => {
    clock.advance(ms)
    await settled()
  }
  return { loops, seen, pass }
}

it('reads changed servers once, and wakes only the machine of each', async () => {
  const { loops, seen, pass } = hosting()
  for (const id of ['srv_1', 'srv_2', 'srv_2', 'srv_4']) loops.onServer(id)
  await pass(200)
  expect(seen).toMatchObject({ reads: [3], looks: ['srv_2', 'srv_4'], missed: 0 })
  await pass(10_000)
  expect(seen.reads).toEqual([3])
})

it('lets every machine check all its servers after 1,000 signals, and after a read that fails', async () => {
  const { loops, seen, pass } = hosting()
  for (let n = 0; n <= 1_000; n++) loops.onServer(`srv_${n}`)
  expect(seen.missed).toBe(1)
  await pass(200)
  expect(seen.reads).toEqual([])
  loops.onServer('srv_2')
  seen.fails = true
  await pass(200)
  expect(seen).toMatchObject({ missed: 2, looks: [] })
})
