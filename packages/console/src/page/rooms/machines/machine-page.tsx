import type { Machine } from '@matchyard/client/admin'
import { useFiltered } from '../../data/filtered'
import { useLive } from '../../data/hooks'
import { regionsTold } from '../../data/regions'
import { href } from '../../data/route'
import {
  Card,
  Clock,
  Empty,
  Facts,
  Figure,
  Figures,
  Id,
  LiveView,
  number,
  Page,
  Table,
  Text,
  Time,
  View,
} from '../../ui'
import { isLive, SERVER_COLUMNS } from '../servers/list'
import { MachineActions } from './actions'
import { MachineStatus } from './columns'
import { MachineNotice } from './machine-notice'
import { gib, serversTold } from './machines'
import { useMachines } from './use-machines'

const back = () => ({ href: href('machines'), label: 'Machines' })

/** Page of a machine: its status, its load, its servers, and buttons to cordon, uncordon and drain it. */
export function MachinePage({ id }: { readonly id: string }) {
  const read = useMachines()
  const { value } = read.now
  const machines = value.is === 'ready' ? value.data : []
  const machine = machines.find(({ machine_id }) => machine_id === id)
  if (machine !== undefined) return <Shown machine={machine} machines={machines} read={read} />
  return (
    <Page title={<Id>{id}</Id>} back={back()} heardAt={read.heardAt}>
      <View of={read.now} again={read.again}>
        {() => (
          <Empty icon="machines" title="Machine not found" action={<a href={href('machines')}>All machines</a>}>
            No machine has this id. A removed machine is listed again after its next report.
          </Empty>
        )}
      </View>
    </Page>
  )
}

interface ShownProps {
  readonly machine: Machine
  /** All machines of the installation. */
  readonly machines: readonly Machine[]
  readonly read: ReturnType<typeof useMachines>
}

function Shown({ machine, machines, read }: ShownProps) {
  return (
    <Page
      title={<Text>{machine.name}</Text>}
      beside={<MachineStatus of={machine} />}
      back={back()}
      heardAt={read.heardAt}
      actions={<MachineActions machine={machine} machines={machines} again={read.again} />}
    >
      <MachineNotice of={machine} />
      <Load of={machine} />
      <Servers of={machine} />
      <About of={machine} />
    </Page>
  )
}

const limitTold = (limit: number | undefined, told: (limit: number) => string = number): string =>
  limit === undefined ? 'no limit' : `of ${told(limit)}`

function Load({ of: { capacity, used, load } }: { readonly of: Machine }) {
  return (
    <Figures>
      <Figure label="Servers" value={number(used.servers)} note={limitTold(capacity.servers)} />
      <Figure label="Processors of servers" value={number(used.cpus)} note={limitTold(capacity.cpus)} />
      <Figure label="Memory of servers" value={gib(used.memory_mb)} note={limitTold(capacity.memory_mb, gib)} />
      <Figure
        label="CPU load"
        value={load === null ? null : Math.round(load.cpu_percent)}
        unit="%"
        note="load average of the last minute, of all processors"
      />
      <Figure
        label="Memory load"
        value={load === null ? null : gib(load.memory_mb)}
        note="of all programs on the machine"
      />
    </Figures>
  )
}

/** Servers of the open project on the machine. */
function Servers({ of: machine }: { readonly of: Machine }) {
  const live = useLive('server')
  const id = machine.machine_id
  const { rows } = useFiltered(live.things, { holds: (server) => server.node_id === id && isLive(server), of: [id] })
  const isRead = live.reading.value.is === 'ready'
  const none = (
    <Empty icon="servers" title="No server of this project">
      {machine.servers === 0
        ? 'The machine has no servers.'
        : `The machine has ${serversTold(machine)} in all projects.`}
    </Empty>
  )
  return (
    <Card
      title="Servers of this project"
      note={isRead ? `${number(rows.length)} of ${serversTold(machine)} of the machine` : undefined}
      flush
    >
      <LiveView of={live} empty={none}>
        {() =>
          rows.length === 0 ? (
            none
          ) : (
            <Table
              label="Servers of this project"
              rows={rows}
              columns={SERVER_COLUMNS}
              keyOf={({ instance_id }) => instance_id}
              hrefOf={({ instance_id }) => href('servers', instance_id)}
              height="rows"
            />
          )
        }
      </LiveView>
    </Card>
  )
}

const KINDS = { node: 'node of the service', agent: 'agent', cluster: 'cluster' } as const

function About({ of: machine }: { readonly of: Machine }) {
  const { machine_id: id, kind, regions, host, version, last_seen_at: seen, created_at: made } = machine
  return (
    <Card title="About">
      <Facts
        of={[
          ['Id', <Id key="id">{id}</Id>],
          ['Kind', KINDS[kind]],
          ['Regions', regionsTold(regions)],
          ['Host', host === null ? 'not configured' : <Id key="host">{host}</Id>],
          ['Version', <Text key="version">{version ?? 'unknown'}</Text>],
          ['Last report', <Time key="seen" at={seen} />],
          ['First report', <Clock key="made" at={made} />],
        ]}
      />
    </Card>
  )
}
