import type { Server } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { askedBuild, askedText } from '../../data/asked'
import { useProject, useRead } from '../../data/hooks'
import { href, setQuery } from '../../data/route'
import type { Page, Query } from '../../data/wire'
import {
  Button,
  type Column,
  counted,
  Empty,
  FilterEntry,
  Select,
  Status,
  StatusOf,
  Table,
  Text,
  Time,
  useRows,
  View,
} from '../../ui'
import { BuildLink } from './build-link'
import { causeOf, END_REASONS } from './end-reasons'
import { RanFor } from './ran-for'

const PAGE = 100

const COLUMNS: readonly Column<Server>[] = [
  {
    id: 'name',
    title: 'Server',
    width: 'minmax(104px, 1.2fr)',
    cell: ({ name, instance_id }) =>
      name === instance_id ? <span class="mono">{`…${name.slice(-10)}`}</span> : <Text>{name}</Text>,
  },
  { id: 'end', title: 'End', width: 'minmax(112px, 1.2fr)', cell: (server) => <End of={server} /> },
  { id: 'exit', title: 'Exit', width: '88px', wide: true, cell: exitOf },
  { id: 'build', title: 'Build', width: 'minmax(88px, 1fr)', wide: true, cell: (server) => <BuildLink of={server} /> },
  {
    id: 'match',
    title: 'Match',
    width: '132px',
    wide: true,
    cell: ({ match_id }) =>
      match_id === null ? (
        <span class="quiet">none</span>
      ) : (
        <a class="mono" href={href('matches', match_id)}>{`…${match_id.slice(-10)}`}</a>
      ),
  },
  {
    id: 'log',
    title: 'Log',
    width: '72px',
    wide: true,
    cell: ({ instance_id, stopped_at }) =>
      stopped_at !== null && (
        <a href={`${href('servers', instance_id)}?${new URLSearchParams({ at: stopped_at })}`}>At the end</a>
      ),
  },
  { id: 'ran', title: 'Run time', width: '80px', end: true, wide: true, cell: (server) => <RanFor server={server} /> },
  { id: 'at', title: 'Ended', width: '104px', end: true, cell: ({ stopped_at }) => <Time at={stopped_at} /> },
]

/** Returns how the process of a server ended: a signal or an exit code. */
function exitOf({ exit_code, last_crash }: Server) {
  const signal = exit_code === null ? last_crash?.exit_signal : undefined
  return signal ?? (exit_code === null ? <span class="quiet">–</span> : `code ${exit_code}`)
}

function End({ of: { end_reason, status } }: { readonly of: Server }) {
  if (end_reason === null) return <StatusOf kind="server" is={status} />
  const [tone, word] = causeOf(end_reason)
  return <Status tone={tone}>{word}</Status>
}

/** List of all stored servers that fit the filters in the address, page by page. */
export function PastServers({ query }: { readonly query: URLSearchParams }) {
  const { wire } = useProject()
  const [reason, build] = [query.get('reason') ?? '', query.get('build') ?? '']
  const filter = useMemo(() => filterOf(reason, build), [reason, build])
  const offset = useSignal(0)
  useEffect(() => {
    offset.value = 0
  }, [filter, offset])
  const from = offset.value
  const read = useRead(
    () => wire.get<Page<Server>>('/v1/servers', { limit: PAGE, offset: from, ...filter }),
    [wire, filter, from],
  )
  return (
    <>
      <div class="line server-filters">
        <Select
          label="Cause of the end"
          value={reason}
          onChange={(value) => setQuery('reason', value)}
          options={[['', 'Any cause'], ...END_REASONS.map((one) => [one as string, causeOf(one)[1]] as const)]}
        />
        <FilterEntry label="Build, such as arena@3" name="build" value={build} />
      </div>
      <View of={read.now} as="rows" again={read.again}>
        {({ data, has_more, total = 0 }) => (
          <>
            {data.length === 0 ? (
              <Empty icon="servers" title="No server fits this filter">
                The search finds live and ended servers of the project.
              </Empty>
            ) : (
              <Servers key={from} of={data} />
            )}
            {(from > 0 || has_more) && (
              <nav class="line server-pages" aria-label="Pages of the servers">
                <span class="quiet small figures">{counted(total, 'server')}</span>
                <Button small disabled={from === 0} onClick={() => (offset.value = Math.max(0, from - PAGE))}>
                  Newer servers
                </Button>
                <Button small disabled={!has_more} onClick={() => (offset.value = from + PAGE)}>
                  Older servers
                </Button>
              </nav>
            )}
          </>
        )}
      </View>
    </>
  )
}

function Servers({ of }: { readonly of: readonly Server[] }) {
  return (
    <Table
      label="Servers"
      rows={useRows(of)}
      columns={COLUMNS}
      keyOf={({ instance_id }) => instance_id}
      hrefOf={({ instance_id }) => href('servers', instance_id)}
    />
  )
}

function filterOf(reason: string, build: string): Query {
  return { end_reason: askedText(reason), build_version: askedBuild(build) }
}
