import './servers.css'
import type { Server } from '@matchyard/client/admin'
import { useFiltered } from '../../data/filtered'
import { useLive } from '../../data/hooks'
import { href, setQuery } from '../../data/route'
import { Card, type Column, Empty, LiveView, number, Page, Search, StatusOf, Table, Tabs, Text, Time } from '../../ui'
import { BuildLink } from './build-link'
import { buildOf } from './build-of'
import { causesOf, endOf } from './causes'
import { PastServers } from './past'
import { RanFor } from './ran-for'

type Shown = 'live' | 'failures' | 'all' | 'past'

export const isLive = ({ status }: Server) => status === 'launching' || status === 'running' || status === 'stopping'

export const SERVER_COLUMNS: readonly Column<Server>[] = [
  {
    id: 'name',
    title: 'Server',
    width: 'minmax(120px, 1.6fr)',
    // A server without a name has its id as its name. Ids of servers differ at their end, so the end of the id is
    // shown.
    cell: ({ name, instance_id }) =>
      name === instance_id ? <span class="mono">{`…${name.slice(-10)}`}</span> : <Text>{name}</Text>,
  },
  { id: 'status', title: 'Status', width: '96px', cell: (server) => <StatusOf kind="server" is={server.status} /> },
  {
    id: 'build',
    title: 'Build',
    width: 'minmax(96px, 1.2fr)',
    wide: true,
    cell: (server) => <BuildLink of={server} />,
  },
  {
    id: 'match',
    title: 'Match',
    width: '140px',
    wide: true,
    cell: (server) =>
      server.match_id === null ? (
        <span class="quiet">none</span>
      ) : (
        <a class="mono" href={href('matches', server.match_id)}>{`…${server.match_id.slice(-10)}`}</a>
      ),
  },
  {
    id: 'where',
    title: 'Region, size',
    width: '112px',
    wide: true,
    cell: (server) => `${server.region}, ${server.tier}`,
  },
  {
    id: 'ports',
    title: 'Ports',
    width: 'minmax(72px, 1fr)',
    wide: true,
    cell: (server) => (
      <span class="figures">{server.network_ports.map(({ external_port }) => external_port).join(', ') || '–'}</span>
    ),
  },
  {
    id: 'started',
    title: 'Started',
    width: '96px',
    end: true,
    wide: true,
    cell: (server) => <Time at={server.running_at} />,
  },
  { id: 'up', title: 'Run time', width: '88px', end: true, cell: (server) => <RanFor server={server} /> },
]

/** List of game servers, live, and the failures by cause. */
export function ServerList({ query }: { readonly query: URLSearchParams }) {
  const live = useLive('server')
  const words = (query.get('find') ?? '').trim().toLowerCase()
  const asked = query.get('show')
  const { counts } = useFiltered(live.things, { holds: () => false, sortOf: (server) => server.status, of: [] })
  const alive = ['launching', 'running', 'stopping'].reduce((sum, status) => sum + (counts.get(status) ?? 0), 0)
  const failures = counts.get('failed') ?? 0
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const isKnown = live.reading.value.is === 'ready'
  const shown: Shown = asked === 'failures' || asked === 'all' || asked === 'past' ? asked : 'live'
  const { rows } = useFiltered(live.things, {
    holds: (server) =>
      (shown === 'all' || (shown === 'failures' ? server.status === 'failed' : isLive(server))) &&
      (words === '' || isFound(server, words)),
    of: [shown, words],
  })
  return (
    <Page
      title="Servers"
      fill
      tools={
        <>
          {shown !== 'past' && (
            <Search
              value={query.get('find') ?? ''}
              onInput={(value) => setQuery('find', value)}
              label="Name, id, build or match"
            />
          )}
          <Tabs
            label="Filter servers"
            now={shown}
            onChange={(value) => setQuery('show', value === 'live' ? '' : value)}
            tabs={[
              { id: 'live', label: 'Live', ...(isKnown && { count: alive }) },
              { id: 'failures', label: 'Failures', ...(isKnown && { count: failures }) },
              { id: 'all', label: 'All', ...(isKnown && { count: all }) },
              { id: 'past', label: 'Search' },
            ]}
          />
        </>
      }
    >
      {shown === 'past' ? (
        <PastServers query={query} />
      ) : (
        <LiveView
          of={live}
          empty={
            <Empty icon="servers" title="No servers yet" action={<a href={href('playground')}>Play a test match</a>}>
              A server is launched for each match of a queue with a build.
            </Empty>
          }
        >
          {() =>
            shown === 'failures' ? (
              <Failures servers={rows.map((row) => row.value)} />
            ) : rows.length === 0 ? (
              <Empty icon="servers" title={words === '' ? 'No live servers' : 'No server fits this filter'}>
                Servers searched, including ended servers: {number(all)}.
              </Empty>
            ) : (
              <Table
                label="Servers"
                rows={rows}
                columns={SERVER_COLUMNS}
                keyOf={(server) => server.instance_id}
                hrefOf={(server) => href('servers', server.instance_id)}
              />
            )
          }
        </LiveView>
      )}
    </Page>
  )
}

function Failures({ servers }: { readonly servers: readonly Server[] }) {
  const causes = causesOf(servers)
  if (causes.length === 0) {
    return <Empty icon="check" title="No failed servers" />
  }
  return (
    <div class="padded">
      <Card title="Failures by cause" flush>
        <ul class="causes">
          {causes.map((cause) => {
            const [last] = cause.servers
            return (
              <li key={cause.key}>
                <span class="times figures">{number(cause.servers.length)} ×</span>
                <div class="stack tight">
                  <Text lines={3}>{cause.sentence}</Text>
                  <span class="quiet small">
                    {last !== undefined && <BuildLink of={last} />}, last failure <Time at={endOf(cause)} />
                  </span>
                </div>
                {last !== undefined && <a href={href('servers', last.instance_id)}>Open the latest server</a>}
              </li>
            )
          })}
        </ul>
      </Card>
    </div>
  )
}

function isFound(server: Server, words: string): boolean {
  const has = (text: string | null) => text?.toLowerCase().includes(words) === true
  return has(server.name) || has(server.instance_id) || has(buildOf(server)) || has(server.match_id)
}
