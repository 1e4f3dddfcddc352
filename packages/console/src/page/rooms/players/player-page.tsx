import type { FoundPlayer } from '@matchyard/client/admin'
import { useProject, useRead } from '../../data/hooks'
import { href } from '../../data/route'
import {
  Card,
  type Column,
  Empty,
  Id,
  number,
  outcomeOf,
  Page,
  Status,
  StatusOf,
  Table,
  Text,
  Time,
  useRows,
  View,
} from '../../ui'
import { RemovePlayer } from '../lobbies/remove-player'
import { resultFor, teamOf } from '../matches/result'
import { BanCard } from './ban-card'
import { FindForm } from './find'
import { PlayerNow } from './player-now'
import { RatingsCard } from './ratings-card'

const LOOK_MS = 5_000

type Lobby = FoundPlayer['lobbies'][number]
type Match = FoundPlayer['matches'][number]
type Exit = FoundPlayer['last_exits'][number]

/** Page of a player: live match, searches, ratings, lobbies, recent returns to the lobby, and matches. */
export function PlayerPage({ id }: { readonly id: string }) {
  const { admin } = useProject()
  const read = useRead(() => admin.players.find(id), [admin, id], { every: LOOK_MS })
  return (
    <Page
      title={<Text>{id}</Text>}
      back={{ href: href('players'), label: 'Players' }}
      heardAt={read.heardAt}
      tools={<FindForm now={id} />}
    >
      <View of={read.now} as="rows" again={read.again}>
        {(player) => (
          <>
            <BanCard playerId={id} bans={player.bans} again={read.again} />
            <Known of={player} />
          </>
        )}
      </View>
    </Page>
  )
}

function Known({ of: player }: { readonly of: FoundPlayer }) {
  const { player_id, lobbies, matches, last_exits, cooldowns, ratings } = player
  const rows = { lobbies: useRows(lobbies), matches: useRows(matches), exits: useRows(last_exits) }
  if (lobbies.length + matches.length + last_exits.length + cooldowns.length + ratings.length === 0) {
    return (
      <Empty icon="player" title="Player not found">
        The player is in no lobby and has played no match of this project. Ids are case-sensitive.
      </Empty>
    )
  }
  return (
    <>
      <PlayerNow of={player} />
      {ratings.length > 0 && <RatingsCard of={ratings} />}
      <Card title="In lobbies now" note={number(lobbies.length)} flush>
        {lobbies.length === 0 ? (
          <p class="quiet card-body">The player is in no lobby.</p>
        ) : (
          <Table
            label="Lobbies"
            rows={rows.lobbies}
            columns={lobbyColumns(player_id)}
            keyOf={(lobby) => lobby.lobby_id}
            hrefOf={(lobby) => href('lobbies', lobby.lobby_id)}
            height="rows"
          />
        )}
      </Card>
      <Card title="Ends of searches and matches" note="recent" flush>
        {last_exits.length === 0 ? (
          <p class="quiet card-body">No search or match of the player ended recently.</p>
        ) : (
          <Table
            label="Ends of searches and matches"
            rows={rows.exits}
            columns={EXITS}
            keyOf={(exit) => `${exit.lobby_id} ${exit.at} ${exit.reason}`}
            height="rows"
          />
        )}
      </Card>
      <Card title="Matches" note={matches.length === 20 ? 'the newest 20' : number(matches.length)} flush>
        {matches.length === 0 ? (
          <p class="quiet card-body">The player has played no match.</p>
        ) : (
          <Table
            label="Matches"
            rows={rows.matches}
            columns={matchColumns(player_id)}
            keyOf={(match) => match.match_id}
            hrefOf={(match) => href('matches', match.match_id)}
            height="rows"
          />
        )}
      </Card>
    </>
  )
}

const lobbyColumns = (playerId: string): readonly Column<Lobby>[] => [
  { id: 'id', title: 'Lobby', width: 'minmax(96px, 2fr)', cell: ({ lobby_id }) => <Id short>{lobby_id}</Id> },
  { id: 'status', title: 'Status', width: '96px', cell: ({ status }) => <StatusOf kind="lobby" is={status} /> },
  { id: 'queue', title: 'Queue', width: 'minmax(56px, 1fr)', cell: ({ queue_id }) => <Text>{queue_id}</Text> },
  {
    id: 'players',
    title: 'Players',
    width: '88px',
    end: true,
    wide: true,
    cell: ({ current_players, max_players }) => `${current_players} / ${max_players}`,
  },
  {
    id: 'at',
    title: 'Changed',
    width: '120px',
    end: true,
    wide: true,
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
  {
    id: 'remove',
    title: '',
    width: '136px',
    end: true,
    cell: (lobby) => <RemovePlayer lobby={lobby} playerId={playerId} />,
  },
]

const EXITS: readonly Column<Exit>[] = [
  { id: 'at', title: 'When', width: '112px', cell: ({ at }) => <Time at={at} /> },
  {
    id: 'reason',
    title: 'Reason',
    width: 'minmax(128px, 2fr)',
    wide: true,
    cell: ({ reason }) => <Text>{outcomeOf(reason)[1]}</Text>,
  },
  { id: 'detail', title: 'Details', width: 'minmax(120px, 3fr)', cell: ({ detail }) => <Text>{detail}</Text> },
  { id: 'queue', title: 'Queue', width: '120px', wide: true, cell: ({ queue_id }) => <Text>{queue_id}</Text> },
]

const matchColumns = (playerId: string): readonly Column<Match>[] => [
  { id: 'id', title: 'Match', width: 'minmax(96px, 2fr)', cell: ({ match_id }) => <Id short>{match_id}</Id> },
  {
    id: 'status',
    title: 'Status',
    width: '96px',
    wide: true,
    cell: ({ status }) => <StatusOf kind="match" is={status} />,
  },
  {
    id: 'queue',
    title: 'Queue',
    width: 'minmax(80px, 1fr)',
    wide: true,
    cell: ({ queue_id }) => <Text>{queue_id}</Text>,
  },
  {
    id: 'team',
    title: 'Team',
    width: '96px',
    wide: true,
    cell: (match) => <Text>{teamOf(match, playerId) ?? '–'}</Text>,
  },
  { id: 'result', title: 'Result', width: '112px', cell: (match) => <ResultFor match={match} playerId={playerId} /> },
  { id: 'at', title: 'Created', width: '88px', end: true, cell: ({ created_at }) => <Time at={created_at} /> },
]

function ResultFor({ match, playerId }: { readonly match: Match; readonly playerId: string }) {
  const found = resultFor(match, playerId)
  if (found === undefined) return <span class="quiet">–</span>
  const [tone, words] = found
  return <Status tone={tone}>{words}</Status>
}
