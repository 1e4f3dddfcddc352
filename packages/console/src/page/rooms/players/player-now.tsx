import type { FoundPlayer } from '@matchyard/client/admin'
import { isExternal } from '../../data/external'
import { href } from '../../data/route'
import { Card, Clock, type Column, Facts, Id, number, StatusOf, Table, Text, Time, useRows } from '../../ui'
import { CancelSearch } from '../lobbies/remove-player'

type Search = FoundPlayer['searches'][number]
type Cooldown = FoundPlayer['cooldowns'][number]
type Live = NonNullable<FoundPlayer['live_match']>

/** Cards with the live match of a player, the searches, and the queues that the player may not enter yet. */
export function PlayerNow({ of: { live_match, searches, cooldowns, lobbies } }: { readonly of: FoundPlayer }) {
  const rows = { searches: useRows(searches), cooldowns: useRows(cooldowns) }
  return (
    <>
      <Card title="Live match">
        {live_match === null ? (
          <p class="quiet">No live match keeps the player out of other matches.</p>
        ) : (
          <LiveMatch of={live_match} />
        )}
      </Card>
      {searches.length > 0 && (
        <Card title="Searches" note={number(searches.length)} flush>
          <Table
            label="Searches"
            rows={rows.searches}
            columns={searchColumns(lobbies)}
            keyOf={(search) => search.lobby_id}
            hrefOf={(search) => href('lobbies', search.lobby_id)}
            height="rows"
          />
        </Card>
      )}
      {cooldowns.length > 0 && (
        <Card title="Cooldowns" note={number(cooldowns.length)} flush>
          <Table
            label="Cooldowns"
            rows={rows.cooldowns}
            columns={COOLDOWNS}
            keyOf={(cooldown) => cooldown.queue_id}
            hrefOf={(cooldown) => href('queues', cooldown.queue_id)}
            height="rows"
          />
        </Card>
      )}
    </>
  )
}

function LiveMatch({ of: { match_id, queue_id, lobby_id, status, server } }: { readonly of: Live }) {
  return (
    <Facts
      of={[
        [
          'Match',
          <Id key="match" href={href('matches', match_id)}>
            {match_id}
          </Id>,
        ],
        ['Status', <StatusOf key="status" kind="match" is={status} />],
        [
          'Queue',
          <a key="queue" href={href('queues', queue_id)}>
            <Text>{queue_id}</Text>
          </a>,
        ],
        [
          'Lobby',
          <Id key="lobby" href={href('lobbies', lobby_id)}>
            {lobby_id}
          </Id>,
        ],
        [
          'Server',
          server === null ? (
            'none'
          ) : (
            <Id key="server" {...(isExternal(server) ? {} : { href: href('servers', server.instance_id) })}>
              {server.instance_id}
            </Id>
          ),
        ],
      ]}
    />
  )
}

/** Cause that holds a search, in a few words. */
const HELD = {
  proposal: 'A match is proposed',
  elsewhere: 'A match of another search',
  absent: 'No player is present',
  plan_limit: 'Server limit of the plan',
} as const

const searchColumns = (lobbies: FoundPlayer['lobbies']): readonly Column<Search>[] => [
  { id: 'id', title: 'Lobby', width: 'minmax(96px, 2fr)', cell: ({ lobby_id }) => <Id short>{lobby_id}</Id> },
  { id: 'queue', title: 'Queue', width: 'minmax(56px, 1fr)', cell: ({ queue_id }) => <Text>{queue_id}</Text> },
  {
    id: 'held',
    title: 'Held by',
    width: 'minmax(96px, 2fr)',
    cell: ({ held_by }) => <Text>{held_by === null ? '–' : HELD[held_by]}</Text>,
  },
  {
    id: 'at',
    title: 'Entered',
    width: '112px',
    end: true,
    wide: true,
    cell: ({ entered_at }) => <Time at={entered_at} />,
  },
  {
    id: 'cancel',
    title: '',
    width: '168px',
    end: true,
    cell: ({ lobby_id }) => {
      const lobby = lobbies.find((one) => one.lobby_id === lobby_id)
      return lobby !== undefined && <CancelSearch lobby={lobby} small />
    },
  },
]

const COOLDOWNS: readonly Column<Cooldown>[] = [
  { id: 'queue', title: 'Queue', width: 'minmax(96px, 2fr)', cell: ({ queue_id }) => <Text>{queue_id}</Text> },
  { id: 'until', title: 'May enter', width: '160px', end: true, cell: ({ until }) => <Clock at={until} /> },
]
