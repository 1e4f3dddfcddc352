import type { Machine } from '@matchyard/client/admin'
import { describe, expect, it } from 'vitest'
import { effectsOfCordon, effectsOfDrain, effectsOfUncordon } from '../src/page/rooms/machines/effects'
import {
  actionsOf,
  byRegions,
  drainLeft,
  servedAlone,
  shareInUse,
  shownStatus,
  unservedTold,
} from '../src/page/rooms/machines/machines'

const AT = Date.parse('2026-11-29T12:00:00Z')

const machine = (id: string, regions: Machine['regions'], more: Partial<Machine> = {}): Machine => ({
  ...{ machine_id: id, name: id, kind: 'node', regions, status: 'ready', status_reason: null, drain_by: null },
  ...{
    servers: 0,
    capacity: {},
    used: { servers: 0, cpus: 0, memory_mb: 0 },
    load: null,
    has_token: false,
    version: null,
    host: null,
    peer_url: null,
  },
  ...{ last_seen_at: null, created_at: new Date(AT).toISOString() },
  ...more,
})
const paused = { status: 'cordoned', status_reason: 'the disk is full' } as const
const draining = (seconds: number | null): Partial<Machine> => ({
  status: 'draining',
  drain_by: seconds === null ? null : new Date(AT + seconds * 1_000).toISOString(),
})

describe('a machine', () => {
  it.each([
    ['ready', {}, 'cordon drain'],
    ['cordoned', { status: 'cordoned' }, 'uncordon drain'],
    ['paused', paused, 'cordon uncordon drain'],
    ['draining', draining(null), 'uncordon drain'],
    ['drained', { status: 'drained' }, 'uncordon'],
    ['lost', { status: 'lost' }, 'cordon uncordon drain'],
  ] as const)('that is %s has the actions of its status', (status, more, actions) => {
    const it = machine('fra-1', ['fra'], more)
    const { canCordon, canUncordon, canDrain } = actionsOf(it)
    const can = [canCordon && 'cordon', canUncordon && 'uncordon', canDrain && 'drain']
    expect([shownStatus(it), can.filter(Boolean).join(' ')]).toEqual([status, actions])
  })

  it('that drains has the time until its deadline', () => {
    const left = (more: Partial<Machine>) => drainLeft(machine('fra-1', ['fra'], more), AT)
    expect([left(draining(1_800)), left(draining(-3)), left(draining(null)), left({ status: 'lost' })]).toEqual([
      ...['30 min left', 'stopping servers', undefined, undefined],
    ])
  })

  it('is as full as its fullest limit', () => {
    const used = { servers: 2, cpus: 6, memory_mb: 1_024 }
    const full = (capacity: Machine['capacity']) => shareInUse(machine('fra-1', ['fra'], { capacity, used }))
    expect(full({ servers: 4, cpus: 8, memory_mb: 8_192 })).toBe(0.75)
    expect([full({}), full({ servers: 0 })]).toEqual([undefined, 1])
  })
})

const FLEET = [
  machine('ams-1', ['ams'], { status: 'lost' }),
  machine('ams-2', ['ams'], paused),
  machine('eu', ['fra', 'ams'], { status: 'cordoned' }),
  machine('fra-1', ['fra']),
  machine('fra-2', ['fra']),
  machine('us', ['ord', 'iad'], { status: 'cordoned' }),
]
const named = (id: string) => FLEET.find(({ machine_id }) => machine_id === id) ?? machine(id, [])

describe('the machines', () => {
  it('are listed once, with those that serve the same regions', () => {
    const groups = byRegions([...FLEET, machine('us-2', ['iad', 'ord'])])
    expect(groups.map(({ regions, machines }) => [regions.join(), machines.map(({ name }) => name).join()])).toEqual([
      ...[
        ['ams', 'ams-1,ams-2'],
        ['ams,fra', 'eu'],
        ['fra', 'fra-1,fra-2'],
        ['iad,ord', 'us,us-2'],
      ],
    ])
  })

  it('say in which regions none of them takes new servers, and why', () => {
    expect(unservedTold(FLEET)).toEqual([
      'No machine takes new servers in ams: ams-1 is lost, ams-2 is paused, eu is cordoned. Matches wait for capacity.',
      'No machine takes new servers in ord, iad: us is cordoned. Matches wait for capacity.',
    ])
    expect(unservedTold([])).toEqual([])
  })

  it('a machine serves a region alone when no other ready machine does', () => {
    expect(servedAlone(named('fra-1'), FLEET)).toEqual([])
    expect(
      servedAlone(
        named('fra-1'),
        FLEET.filter(({ name }) => name !== 'fra-2'),
      ),
    ).toEqual(['fra'])
    expect(servedAlone(named('us'), FLEET)).toEqual([])
  })
})

describe('the question before an action', () => {
  const alone = [machine('fra-1', ['fra'], { servers: 2 })]
  const [only = named('')] = alone

  it('says what happens to matches, and which regions are left alone', () => {
    const wait = 'No other machine takes new servers in fra: new matches wait for capacity.'
    expect(effectsOfCordon(only, alone)).toBe(
      `The machine gets no new servers. ${wait} Its 2 servers continue, and no match ends.`,
    )
    expect(effectsOfCordon(named('fra-1'), FLEET)).toBe('The machine gets no new servers. It has no servers now.')
    expect(effectsOfDrain(only, alone, undefined)).toContain('All matches run to their end.')
    expect(effectsOfDrain(only, alone, '12:30').join(' ')).toMatch(/still run at 12:30 are stopped: their matches end/)
  })

  it('says what an uncordon ends', () => {
    const told = [draining(60), paused, { status: 'lost' }, { status: 'drained' }] as const
    expect(told.map((more) => effectsOfUncordon(machine('fra-1', ['fra'], more)).split(/[:.]/)[0])).toEqual([
      ...['The drain ends', 'The pause ends', 'The machine gets new servers again when it is back'],
      'The machine gets new servers again',
    ])
  })
})
