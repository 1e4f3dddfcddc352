import type { Machine } from '@matchyard/client/admin'
import { type Asked, before, type Fixtures } from '../../gallery/fixtures'

type More = Partial<Machine> & Pick<Machine, 'regions'>

/** Returns a machine that runs servers of one CPU and 1 GiB, with a limit of 20 servers. */
const machine = (name: string, servers: number, more: More): Machine => ({
  machine_id: name,
  name,
  kind: 'node',
  status: 'ready',
  status_reason: null,
  drain_by: null,
  servers,
  capacity: { servers: 20, cpus: 24, memory_mb: 49_152 },
  used: { servers, cpus: servers, memory_mb: servers * 1_024 },
  load: { cpu_percent: 4 + servers * 3.7, memory_mb: 2_100 + servers * 740 },
  version: '0.1.0',
  host: `${name}.play.starfall.example`,
  peer_url: `http://${name}.internal:8080`,
  has_token: false,
  last_seen_at: before(2),
  created_at: before(86_400 * 90),
  ...more,
})

const MACHINES: readonly Machine[] = [
  machine('ams-1', 3, { regions: ['ams'], status: 'lost', last_seen_at: before(412), load: null }),
  machine('ams-2', 0, { regions: ['ams'], status: 'drained' }),
  machine('fra-1', 19, { regions: ['fra'] }),
  machine('fra-2', 6, { regions: ['fra'], status: 'draining', drain_by: before(-731) }),
  machine('fra-3', 4, {
    regions: ['fra'],
    status: 'cordoned',
    status_reason: 'no space left on device: /var/lib/matchyard/servers/srv_01HXZ (ENOSPC)',
  }),
  machine('iad-1', 11, { regions: ['iad', 'ord'], capacity: {}, host: null }),
  machine('iad-2', 2, { regions: ['iad', 'ord'], status: 'cordoned', version: '0.0.9' }),
  machine('node-1', 4, { regions: ['fra', 'ams', 'lhr'], status: 'cordoned' }),
  machine('agones-syd', 31, {
    ...{ regions: ['syd'], kind: 'cluster', version: null, host: null, load: null },
    capacity: { servers: 200 },
  }),
]

export const machinesFixtures: Fixtures = {
  views: [
    { name: 'machines', path: '/machines', isForOperators: true },
    { name: 'machines-filtered', path: '/machines?find=syd', isForOperators: true },
    { name: 'machine', path: '/machines/fra-1', isForOperators: true },
    { name: 'machine-draining', path: '/machines/fra-2', isForOperators: true },
    { name: 'machine-paused', path: '/machines/fra-3', isForOperators: true },
    { name: 'machine-lost', path: '/machines/ams-1', isForOperators: true },
    { name: 'machine-drained', path: '/machines/ams-2', isForOperators: true },
    { name: 'machine-alone', path: '/machines/node-1', isForOperators: true },
  ],
  answers: {
    'GET /v1/machines': ({ isEmpty }: Asked) => ({ machines: isEmpty ? [] : MACHINES }),
  },
}
