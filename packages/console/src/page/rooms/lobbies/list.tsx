import type { LobbySnapshot } from '@matchyard/client'
import { useFiltered } from '../../data/filtered'
import { useLive } from '../../data/hooks'
import { href, setQuery } from '../../data/route'
import {
  Button,
  type Column,
  Empty,
  Id,
  LiveView,
  number,
  Page,
  Search,
  StatusOf,
  Table,
  Tabs,
  Text,
  Time,
} from '../../ui'
import { QUEUE_COLUMN } from '../queues/queue-column'
import { QueueFilter } from '../queues/queue-filter'

type Shown = LobbySnapshot['status'] | 'all'

const TABS: readonly (readonly [Shown, string])[] = [
  ['all', 'All'],
  ['waiting', 'Waiting'],
  ['in_queue', 'Searching'],
  ['matched', 'Matched'],
  ['starting', 'Starting'],
  ['in_game', 'In game'],
]

const COLUMNS: readonly Column<LobbySnapshot>[] = [
  {
    id: 'lobby',
    title: 'Lobby',
    width: 'minmax(120px, 2fr)',
    cell: (lobby) =>
      lobby.name === undefined ? <span class="mono">{shortOf(lobby.lobby_id)}</span> : <Text>{lobby.name}</Text>,
  },
  { id: 'status', title: 'Status', width: '104px', cell: (lobby) => <StatusOf kind="lobby" is={lobby.status} /> },
  {
    id: 'players',
    title: 'Players',
    width: '64px',
    end: true,
    cell: (lobby) => `${lobby.current_players} / ${lobby.max_players}`,
  },
  QUEUE_COLUMN,
  {
    id: 'host',
    title: 'Host',
    width: 'minmax(96px, 1.4fr)',
    wide: true,
    cell: (lobby) => <Text>{lobby.host_player_id}</Text>,
  },
  {
    id: 'code',
    title: 'Invite code',
    width: '120px',
    wide: true,
    cell: (lobby) => (lobby.invite_code === null ? <span class="quiet">–</span> : <Id>{lobby.invite_code}</Id>),
  },
  {
    id: 'made',
    title: 'Created',
    width: '104px',
    end: true,
    wide: true,
    cell: (lobby) => <Time at={lobby.created_at} />,
  },
]

/** List of the project's lobbies, live, with a search by player, code, name or id. */
export function LobbyList({ query }: { readonly query: URLSearchParams }) {
  const live = useLive('lobby')
  const shown = (TABS.find(([id]) => id === query.get('status'))?.[0] ?? 'all') as Shown
  const queue = query.get('queue') ?? ''
  const words = (query.get('find') ?? '').trim().toLowerCase()
  const { rows, counts } = useFiltered(live.things, {
    holds: (lobby) =>
      (shown === 'all' || lobby.status === shown) &&
      (queue === '' || lobby.queue_id === queue) &&
      (words === '' || isFound(lobby, words)),
    sortOf: (lobby) => lobby.status,
    of: [shown, queue, words],
  })
  const isKnown = live.reading.value.is === 'ready'
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return (
    <Page
      title="Lobbies"
      fill
      tools={
        <>
          <Search
            value={query.get('find') ?? ''}
            onInput={(value) => setQuery('find', value)}
            label="Player, invite code, name or id"
          />
          <QueueFilter queue={queue} />
          <Tabs
            label="Status"
            now={shown}
            onChange={(value) => setQuery('status', value === 'all' ? '' : value)}
            tabs={TABS.map(([id, label]) => ({
              id,
              label,
              ...(isKnown && { count: id === 'all' ? all : (counts.get(id) ?? 0) }),
            }))}
          />
        </>
      }
    >
      <LiveView
        of={live}
        empty={
          <Empty
            icon="lobbies"
            title="No lobbies"
            action={
              <Button kind="primary" icon="play" href={href('playground')}>
                Open the playground
              </Button>
            }
          >
            Players gather in a lobby before a match. Your game creates lobbies. You can also create lobbies in the
            playground.
          </Empty>
        }
      >
        {() =>
          rows.length === 0 ? (
            <Empty
              icon="search"
              title="No lobby fits this filter"
              action={words.startsWith('lob_') && <a href={href('lobbies', words)}>Open the lobby with this id</a>}
            >
              Lobbies searched: {number(all)}.
            </Empty>
          ) : (
            <Table
              label="Lobbies"
              rows={rows}
              columns={COLUMNS}
              keyOf={(lobby) => lobby.lobby_id}
              hrefOf={(lobby) => href('lobbies', lobby.lobby_id)}
            />
          )
        }
      </LiveView>
    </Page>
  )
}

function isFound(lobby: LobbySnapshot, words: string): boolean {
  const has = (text: string | null | undefined) => text?.toLowerCase().includes(words) === true
  return (
    has(lobby.lobby_id) ||
    has(lobby.name) ||
    has(lobby.invite_code) ||
    lobby.players.some(({ player_id }) => has(player_id))
  )
}

const shortOf = (id: string): string => `${id.slice(0, 4)}…${id.slice(-8)}`
