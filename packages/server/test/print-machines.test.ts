import type { MachineState } from '@matchyard/core'
import { expect, test } from 'vitest'
import { machineLines } from '../src/operator/print-machines'

const machine = (id: string, parts: Partial<MachineState> = {}): MachineState => ({
  ...{ id, name: id, kind: 'node', host: null, peerUrl: null, release: null, regions: ['fra'], status: 'ready' },
  ...{ statusReason: null, drainBy: null, capacity: {}, used: { servers: 1, cpus: 1, memoryMb: 1 }, load: null },
  ...{ lastSeenAt: null, createdAt: 0 },
  ...parts,
})

test('machines without an address for other nodes are marked, unless there is one machine', () => {
  const line = (id: string) => `${id}  ready     1 server  fra  never seen`
  expect(machineLines([machine('a')])).toBe(`${line('a')}\n`)
  const others = [machine('b', { peerUrl: 'http://10.0.0.2:8080' }), machine('c', { kind: 'cluster' })]
  expect(machineLines([machine('a'), ...others])).toBe(`${line('a')}  no PEER_URL\n${line('b')}\n${line('c')}\n`)
})
