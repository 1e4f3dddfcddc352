import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decideCordon,
  decideDrain,
  decideDrained,
  decideLost,
  decideRecover,
  decideReportMachine,
  decideRest,
  decideUncordon,
  isDrainOver,
  MAX_REST_MS,
  restBeganAt,
  restMs,
} from '../../src/machine/decide'
import type { MachineEvent } from '../../src/machine/events'
import { evolveMachine } from '../../src/machine/evolve'
import {
  becomesEmpty,
  type MachineFacts,
  type MachineRecord,
  newMachine,
  shownStatus,
  takesServers,
} from '../../src/machine/record'

const FACTS: MachineFacts = {
  name: 'fra-1',
  kind: 'node',
  host: null,
  peerUrl: null,
  release: '1',
  regions: ['fra'],
  beacons: [],
}
const NOW = 1_000_000

type Step = (machine: MachineRecord, at: number) => MachineEvent[]
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>(decideCordon),
  fc.constant<Step>(decideUncordon),
  fc.constantFrom(null, 0, 60_000).map(
    (ms): Step =>
      (machine, at) =>
        decideDrain(machine, ms === null ? null : at + ms),
  ),
  fc.nat(2).map(
    (servers): Step =>
      (machine) =>
        decideDrained(machine, servers),
  ),
  fc.constant<Step>((machine, at) => decideRest(machine, 'the disk is full', at)),
  fc.constant<Step>(decideRecover),
  fc.constant<Step>(decideLost),
  fc.constantFrom('1', '2').map(
    (release): Step =>
      (machine) =>
        decideReportMachine(machine, { ...FACTS, release }),
  ),
)

describe('a machine', () => {
  it('keeps its rules through any calls, and a repeated call changes nothing', () => {
    const steps = fc.array(fc.tuple(step, fc.nat(120_000)), { maxLength: 30 })
    fc.assert(
      fc.property(steps, (calls) => {
        let machine = newMachine('fra-1', FACTS, NOW)
        let at = NOW
        for (const [decide, ms] of calls) {
          at += ms
          machine = evolveMachine(machine, decide(machine, at), at)
          expect(decide(machine, at)).toEqual([])
          // Only a draining machine has a deadline, and a machine that becomes empty takes no servers.
          if (machine.drainBy !== null) expect(machine.status).toBe('draining')
          if (isDrainOver(machine, at)) expect(becomesEmpty(machine)).toBe(true)
          if (becomesEmpty(machine)) expect(takesServers(machine, at)).toBe(false)
          expect(takesServers(machine, at)).toBe(shownStatus(machine, { isHeard: true, at }) === 'ready')
        }
      }),
    )
  })

  it('is drained only when it was draining and has no servers', () => {
    const ready = newMachine('fra-1', FACTS, NOW)
    const draining = evolveMachine(ready, decideDrain(ready, null), NOW)
    expect([decideDrained(ready, 0), decideDrained(draining, 1)]).toEqual([[], []])
    expect(evolveMachine(draining, decideDrained(draining, 0), NOW)).toMatchObject({ status: 'drained', version: 3 })
  })

  it('pauses longer each time, up to a maximum, until a launch succeeds', () => {
    expect([1, 2, 3, 9].map(restMs)).toEqual([60_000, 120_000, 240_000, MAX_REST_MS])
    const ready = newMachine('fra-1', FACTS, NOW)
    const first = evolveMachine(ready, decideRest(ready, 'no archive', NOW), NOW)
    expect([takesServers(first, NOW + 59_999), takesServers(first, NOW + 60_000)]).toEqual([false, true])
    const later = NOW + 60_000
    const { rest } = evolveMachine(first, decideRest(first, 'no archive', later), later)
    expect(rest).toMatchObject({ until: later + 120_000 })
    expect(rest && restBeganAt(rest)).toBe(later)
    expect(evolveMachine(first, decideRecover(first, later), later).rest).toBeNull()
  })
})
