import type { MachineState } from '@matchyard/core'
import { expect, test } from 'vitest'
import { machineLines, machinePage } from '../src/operator/print-machines'

const machine = (id: string, parts: Partial<MachineState> = {}): MachineState => ({
  ...{ id, name: id, kind: 'node', host: null, peerUrl: null, release: null, regions: ['fra'], status: 'ready' },
  ...{ statusReason: null, drainBy: null, capacity: {}, used: { servers: 1, cpus: 1, memoryMb: 1 }, load: null },
  ...{ hasToken: false, lastSeenAt: null, createdAt: 0 },
  ...parts,
})

test('machines are listed below headings, and marked without an address for other nodes, unless there is one machine', () => {
  const headings = 'machine  kind  status  servers  regions  last report\n'
  const line = 'a        node  ready   1        fra      none'
  expect(machineLines([])).toBe(headings)
  expect(machineLines([machine('a')])).toBe(`${headings}${line}\n`)
  const others = [machine('b', { peerUrl: 'http://10.0.0.2:8080' }), machine('c', { kind: 'cluster' })]
  expect(machineLines([machine('a'), ...others])).toBe(
    [
      'machine  kind     status  servers  regions  last report',
      'a        node     ready   1        fra      none  no PEER_URL',
      'b        node     ready   1        fra      none',
      'c        cluster  ready   1        fra      none',
      '',
    ].join('\n'),
  )
})

test('a column is as wide as its longest value', () => {
  const long = machine('machine-1', { status: 'cordoned', regions: ['fra', 'iad', 'syd'] })
  expect(machineLines([long])).toBe(
    'machine    kind  status    servers  regions      last report\nmachine-1  node  cordoned  1        fra,iad,syd  none\n',
  )
})

test('the machine of an agent is shown with its token, and as never connected until it was there', () => {
  const agent = (parts: Partial<MachineState>) =>
    machine('a', { kind: 'agent', status: 'lost', regions: [], hasToken: true, ...parts })
  const shown = [agent({}), agent({ hasToken: false }), agent({ regions: ['fra'], hasToken: false })]
  expect(machineLines(shown)).toBe(
    [
      'machine  kind   status           servers  regions  last report',
      'a        agent  never connected  1        none     none',
      'a        agent  never connected  1        none     none  no token',
      'a        agent  lost             1        fra      none  no token',
      '',
    ].join('\n'),
  )
  const page = (parts: Partial<MachineState>) => machinePage(agent(parts)).replaceAll(/ {2,}/g, ': ')
  expect(page({})).toMatch(/^status: never connected$/m)
  expect(page({})).toMatch(/^token: yes: its agent connects with it$/m)
  expect(page({})).not.toMatch(/^regions|peer_url|has_token/m)
  expect(page({ hasToken: false })).toMatch(/^token: none: its agent cannot connect \(matchyard machines token\)$/m)
  expect(machinePage(machine('b'))).not.toMatch(/^token/m)
})

test('a page of a machine shows its limits and its load in words', () => {
  const page = (parts: Partial<MachineState>) => machinePage(machine('a', parts)).replaceAll(/ {2,}/g, ': ')
  expect(page({})).toMatch(/^capacity: no limits\nused: 1 server, 1 CPU, 1 MB of memory$/m)
  expect(page({})).not.toMatch(/^load/m)
  const capacity = { maxServers: 20, maxServerCpus: 8, maxServerMemoryMb: 16_384 }
  expect(page({ capacity })).toMatch(/^capacity: 20 servers, 8 CPUs, 16384 MB of memory$/m)
  expect(page({ capacity: { maxServers: 20 } })).toMatch(/^capacity: 20 servers$/m)
  expect(page({ load: { cpuPercent: 751, memoryMb: 2432 } })).toMatch(
    /^load: load average 751 % of the CPUs, 2432 MB of memory in use$/m,
  )
})
