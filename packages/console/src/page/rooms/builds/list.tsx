import './builds.css'
import { useSignal } from '@preact/signals'
import { href } from '../../data/route'
import {
  Button,
  Card,
  type Column,
  counted,
  Empty,
  LiveView,
  number,
  Page,
  StatusOf,
  Table,
  Text,
  Time,
  useRows,
} from '../../ui'
import { DropZone, ImageDialog } from './add-build'
import { Launched } from './launched'
import type { Named } from './named'
import { UnderWay } from './under-way'
import { useNamed } from './use-named'

const COLUMNS: readonly Column<Named>[] = [
  { id: 'name', title: 'Build', width: 'minmax(80px, 2fr)', cell: ({ name }) => <Text>{name}</Text> },
  {
    id: 'newest',
    title: 'Newest version',
    width: 'minmax(128px, 1.2fr)',
    cell: ({ versions: [newest] }) => (
      <span class="version">
        <span class="figures">v{newest.version}</span> <StatusOf kind="build" is={newest.status} />
      </span>
    ),
  },
  {
    id: 'serves',
    title: 'Current version',
    width: 'minmax(104px, 1fr)',
    wide: true,
    cell: (named) => <Launched of={named} />,
  },
  { id: 'used', title: 'Used by', width: 'minmax(120px, 1.4fr)', wide: true, cell: (named) => usedBy(named) },
  {
    id: 'versions',
    title: 'Versions',
    width: '72px',
    end: true,
    wide: true,
    cell: ({ versions }) => number(versions.length),
  },
  {
    id: 'at',
    title: 'Changed',
    width: '80px',
    end: true,
    cell: ({ versions: [newest] }) => <Time at={newest.updated_at} />,
  },
]

const usedBy = ({ queues, servers }: Named) => {
  const by = [
    queues.length > 0 && counted(queues.length, 'queue'),
    servers.length > 0 && counted(servers.length, 'server'),
  ]
  return by.filter(Boolean).join(', ') || <span class="quiet">no queue</span>
}

/** List of all build names, each with its newest version. */
export function BuildList() {
  const { live, named } = useNamed()
  const rows = useRows(named)
  const registers = useSignal(false)
  return (
    <Page title="Builds" actions={<Button onClick={() => (registers.value = true)}>Register an image</Button>}>
      <DropZone named={named} />
      <UnderWay />
      <LiveView
        of={live}
        empty={
          <Empty icon="builds" title="No builds yet">
            A build is a game server, as an archive or a container image. A queue selects a build. Each match of the
            queue launches a server with this build.
          </Empty>
        }
      >
        {() => (
          <Card flush>
            <Table
              label="Builds"
              rows={rows}
              columns={COLUMNS}
              keyOf={({ name }) => name}
              hrefOf={({ name }) => href('builds', name)}
              height="rows"
            />
          </Card>
        )}
      </LiveView>
      {registers.value && <ImageDialog onClose={() => (registers.value = false)} />}
    </Page>
  )
}
