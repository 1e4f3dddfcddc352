import { describe, expect, it } from 'vitest'
import { TIER_SIZES } from '../../src/catalog/tiers'
import { type NodeLimits, roomInUse } from '../../src/machine/limits'
import {
  chooseMachine,
  type Machine,
  machineOfText,
  machineText,
  nobodyServes,
  servedBy,
} from '../../src/machine/machine'
import { MAX_MACHINES, MachineView } from '../../src/node/machine-view'

const SIZE = TIER_SIZES['1x-1g']

const machine = (
  id: string,
  servers: number,
  limits: NodeLimits = {},
  regions: Machine['regions'] = ['fra'],
): Machine => ({
  ...{ id, regions, limits },
  used: roomInUse(Array(servers).fill(SIZE)),
})
const chosen = (machines: readonly Machine[], placement: 'pack' | 'spread', hasTls = false) =>
  chooseMachine(machines, placement, { region: 'fra', tierSize: SIZE, hasTls })?.id

describe('the choice of a machine', () => {
  it('compares the shares of limits that are in use, and leaves out full machines and other regions', () => {
    const machines = [
      machine('half', 5, { maxServers: 10 }),
      machine('most', 3, { maxServers: 4 }),
      machine('full', 2, { maxServers: 2 }),
      machine('small', 1, { maxServerMemoryMb: 1_500 }),
      machine('little', 1, { maxServers: 10, maxServerCpus: 8 }),
      machine('far', 0, { maxServers: 10 }, ['iad']),
    ]
    expect([chosen(machines, 'pack'), chosen(machines, 'spread')]).toEqual(['most', 'little'])
    expect(chosen([machine('full', 2, { maxServers: 2 })], 'pack')).toBeUndefined()
  })

  it('spreads servers over machines without limits, after the others', () => {
    const machines = [machine('a', 3), machine('b', 1), machine('c', 1)]
    expect([chosen(machines, 'pack'), chosen(machines, 'spread')]).toEqual(['b', 'b'])
    expect(chosen([...machines, machine('limited', 3, { maxServers: 4 })], 'spread')).toBe('limited')
  })

  it('leaves out machines without a certificate for servers with TLS ports alone', () => {
    const machines = [machine('certified', 3), { ...machine('plain', 1), isWithoutTls: true }]
    expect([chosen(machines, 'spread'), chosen(machines, 'spread', true)]).toEqual(['plain', 'certified'])
    expect(chosen(machines.slice(1), 'spread', true)).toBeUndefined()
  })
})

describe('the served regions', () => {
  it('are in the order of the best places, then iad first, then by name', () => {
    const order = servedBy([machine('a', 0, {}, ['syd', 'ams', 'fra']), machine('b', 0, {}, ['fra', 'iad', 'ewr'])])
    expect(order).toEqual(['fra', 'syd', 'iad', 'ams', 'ewr'])
  })

  it('are told with the first five machines', () => {
    const machines = Array.from({ length: 7 }, (_, n) => machine(`m${n}`, 0))
    expect(nobodyServes('ams', machines)).toMatch(
      /^no machine serves ams \(m0 serves fra; .*m4 serves fra; and 2 more\)$/,
    )
    expect(nobodyServes('ams', [])).toBe('no machine serves ams (there is no machine)')
  })
})

describe('the reports of machines', () => {
  const view = () => new MachineView({ nodeLostAfterMs: 30_000 })

  it('of more than a thousand machines are ignored', () => {
    const reports = Array.from({ length: MAX_MACHINES + 5 }, (_, n) => ({
      member: machineText(machine(`m${n}`, 0)),
      at: 1,
    }))
    const known = view()
    known.note(reports, 1)
    expect(known.live()).toHaveLength(MAX_MACHINES)
  })

  it('that cannot be read are ignored, and the newest of a machine counts', () => {
    const known = view()
    const [old, now] = [machine('a', 1), machine('a', 2, { maxServers: 4 })]
    known.note(
      [
        { member: machineText(now), at: 2 },
        { member: 'damaged', at: 3 },
        { member: machineText(old), at: 1 },
      ],
      3,
    )
    expect(known.live()).toEqual([now])
    expect(machineOfText('damaged')).toBeUndefined()
  })

  it('count until they have not changed for too long, without the pauses of the reader', () => {
    const known = view()
    const report = [{ member: machineText(machine('a', 0)), at: 0 }]
    for (let now = 0; now <= 29_000; now += 500) known.note(report, now)
    expect(known.live()).toHaveLength(1)
    known.note(report, 60_000)
    expect(known.live()).toHaveLength(1)
    for (let now = 60_500; now <= 90_000; now += 500) known.note(report, now)
    expect(known.live()).toEqual([])
  })
})
