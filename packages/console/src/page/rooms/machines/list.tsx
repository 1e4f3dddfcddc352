import type { Machine, ProjectProblem } from '@matchyard/client/admin'
import { useProblems } from '../../data/problems'
import { hasAllRegions, regionsTold } from '../../data/regions'
import { href, setQuery } from '../../data/route'
import { Card, counted, Empty, Figure, Figures, number, Page, Search, Table, useRows, View } from '../../ui'
import { ProblemList } from '../problems/problem-list'
import { MACHINE_COLUMNS } from './columns'
import { byRegions, isReady, type RegionGroup, unservedTold } from './machines'
import { useMachines } from './use-machines'

/** List of the machines of the installation, by region. */
export function MachineList({ query }: { readonly query: URLSearchParams }) {
  const read = useMachines()
  const words = query.get('find') ?? ''
  return (
    <Page
      title="Machines"
      heardAt={read.heardAt}
      tools={<Search value={words} onInput={(value) => setQuery('find', value)} label="Name, host or region" />}
    >
      <View of={read.now} as="rows" again={read.again}>
        {(machines) => (machines.length === 0 ? <NoneAtAll /> : <Shown machines={machines} words={words} />)}
      </View>
    </Page>
  )
}

const NoneAtAll = () => (
  <Empty icon="machines" title="No machine yet">
    A machine is listed after its first report: a node with its own orchestrator, or a cluster. A node with
    <code> ORCHESTRATOR=none</code> runs no servers and is not listed.
  </Empty>
)

function Shown({ machines, words }: { readonly machines: readonly Machine[]; readonly words: string }) {
  const found = machines.filter((machine) => isFound(machine, words.trim().toLowerCase()))
  return (
    <>
      <Totals of={machines} />
      <Unserved of={unservedTold(machines)} />
      <ProblemsHere />
      {found.length === 0 ? (
        <Empty icon="machines" title="No machine fits this filter">
          Machines searched: {number(machines.length)}.
        </Empty>
      ) : (
        byRegions(found).map((group) => <Group key={group.regions.join()} of={group} />)
      )}
    </>
  )
}

function Totals({ of: machines }: { readonly of: readonly Machine[] }) {
  const ready = machines.filter(isReady)
  const servers = machines.reduce((sum, machine) => sum + machine.servers, 0)
  const regionsOf = (of: readonly Machine[]) => new Set(of.flatMap(({ regions }) => regions)).size
  return (
    <div class="machine-totals">
      <Figures>
        <Figure label="Machines" value={number(ready.length)} note={`of ${number(machines.length)} are ready`} />
        <Figure label="Servers" value={number(servers)} note="on all machines" />
        <Figure
          label="Regions"
          value={number(regionsOf(ready))}
          note={`of ${number(regionsOf(machines))} are served`}
        />
      </Figures>
    </div>
  )
}

/** Regions in which no machine takes new servers, as sentences. */
function Unserved({ of: sentences }: { readonly of: readonly string[] }) {
  if (sentences.length === 0) return null
  return (
    <ul class="notice bad stack tight">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}

/** Problems of the open project that the operator of the machines can solve. */
function ProblemsHere() {
  const { value } = useProblems().now
  const here = value.is === 'ready' ? value.data.filter(isOfMachines) : []
  if (here.length === 0) return null
  return (
    <Card title="Problems of this project" note={counted(here.length, 'problem')} flush>
      <ProblemList of={here} />
    </Card>
  )
}

const isOfMachines = ({ code, subject, details }: ProjectProblem) =>
  subject.kind === 'node' || code === 'waiting_for_room' || details.region !== undefined

function Group({ of: { regions, machines } }: { readonly of: RegionGroup }) {
  const rows = useRows(machines)
  const title = regionsTold(regions)
  return (
    <Card
      title={hasAllRegions(regions) ? 'All regions' : title}
      note={`${number(machines.filter(isReady).length)} of ${counted(machines.length, 'machine')} ready`}
      flush
    >
      <Table
        label={`Machines of ${title}`}
        rows={rows}
        columns={MACHINE_COLUMNS}
        keyOf={({ machine_id }) => machine_id}
        hrefOf={({ machine_id }) => href('machines', machine_id)}
        height="rows"
      />
    </Card>
  )
}

function isFound({ machine_id, name, host, regions }: Machine, words: string): boolean {
  return words === '' || [machine_id, name, host ?? '', ...regions].some((text) => text.toLowerCase().includes(words))
}
