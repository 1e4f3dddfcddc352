import type { LobbySnapshot } from '@matchyard/client'
import { useMemo } from 'preact/hooks'
import { useFiltered } from '../../data/filtered'
import { useLive } from '../../data/hooks'
import { href, setQuery } from '../../data/route'
import { Card, type Column, Id, LiveView, number, StatusOf, Table, Tabs, Text, Time, useRows } from '../../ui'
import { type Doing, doingOf, type Present, presentIn } from './present'

/** Maximum number of players in the table. */
const MOST = 1_000

const TABS: readonly (readonly [Doing | 'all', string])[] = [
  ['all', 'All'],
  ['lobby', 'In a lobby'],
  ['searching', 'Searching'],
  ['match', 'In a match'],
]

const COLUMNS: readonly Column<Present>[] = [
  { id: 'player', title: 'Player', width: 'minmax(112px, 2fr)', cell: ({ playerId }) => <Text>{playerId}</Text> },
  { id: 'status', title: 'Lobby', width: '104px', cell: ({ lobby }) => <StatusOf kind="lobby" is={lobby.status} /> },
  {
    id: 'queue',
    title: 'Queue',
    width: 'minmax(72px, 1fr)',
    wide: true,
    cell: ({ lobby }) => <Text>{lobby.queue_id}</Text>,
  },
  {
    id: 'where',
    title: 'Where',
    width: 'minmax(96px, 1fr)',
    wide: true,
    cell: ({ lobby }) =>
      lobby.match_id === null ? (
        <Id href={href('lobbies', lobby.lobby_id)} short>
          {lobby.lobby_id}
        </Id>
      ) : (
        <Id href={href('matches', lobby.match_id)} short>
          {lobby.match_id}
        </Id>
      ),
  },
  { id: 'since', title: 'Joined', width: '96px', end: true, cell: ({ joinedAt }) => <Time at={joinedAt} /> },
]

/** Players who are in a lobby now, all or those who wait, search or play. */
export function InLobbies({ query }: { readonly query: URLSearchParams }) {
  const live = useLive('lobby')
  const shown = TABS.find(([id]) => id === query.get('is'))?.[0] ?? 'all'
  const { rows } = useFiltered(live.things, {
    holds: (lobby: LobbySnapshot) => shown === 'all' || doingOf(lobby) === shown,
    of: [shown],
  })
  const found = useMemo(() => presentIn(rows.map((row) => row.peek())), [rows])
  const players = useRows(useMemo(() => found.slice(0, MOST), [found]))
  return (
    <Card
      title="In lobbies now"
      note={number(found.length)}
      flush
      actions={
        <Tabs
          label="Filter players"
          now={shown}
          onChange={(value) => setQuery('is', value === 'all' ? '' : value)}
          tabs={TABS.map(([id, label]) => ({ id, label }))}
        />
      }
    >
      <LiveView of={live} empty={<p class="quiet card-body">No player is in a lobby.</p>}>
        {() =>
          found.length === 0 ? (
            <p class="quiet card-body">No player fits this filter.</p>
          ) : (
            <>
              <Table
                label="Players in lobbies"
                rows={players}
                columns={COLUMNS}
                keyOf={({ playerId, lobby }) => `${playerId} ${lobby.lobby_id}`}
                hrefOf={({ playerId }) => href('players', playerId)}
                height="rows"
              />
              {found.length > MOST && <p class="quiet card-body">The newest {number(MOST)} are listed.</p>}
            </>
          )
        }
      </LiveView>
    </Card>
  )
}
