import type { Standing } from '@matchyard/client'
import type { Rating } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type Loadable, useProject, useRead } from '../../data/hooks'
import { href, setQuery } from '../../data/route'
import { part } from '../../data/wire'
import {
  Button,
  Card,
  type Column,
  counted,
  Empty,
  Id,
  Input,
  number,
  Select,
  Table,
  Tabs,
  Time,
  useRows,
  View,
} from '../../ui'
import { type BoardQuery, boardQueryOf, optionsOf, parametersOf } from './board-query'
import type { WholeRating } from './rating-page'
import { type Board, uncertaintyOf } from './read'

const LOOK_MS = 15_000
const PAGE = 25

interface LeaderboardProps {
  readonly of: WholeRating
  readonly query: URLSearchParams
}

/** Leaderboard of a rating, by pages or around one player, of the present or an earlier season. */
export function Leaderboard({ of: { rating, seasons }, query }: LeaderboardProps) {
  const { wire } = useProject()
  const asked = boardQueryOf(query, seasons)
  // Cursors of the pages before this one and of this one; the first page has none.
  const cursors = useSignal<readonly string[]>([])
  const key = JSON.stringify(asked)
  useEffect(() => {
    cursors.value = []
  }, [key])
  const cursor = asked.player === '' ? cursors.value.at(-1) : undefined
  const path = `/v1/ratings/${part(rating.rating_id)}/leaderboard`
  const read = useRead<Board>(
    () => wire.get(path, { limit: PAGE, cursor, ...parametersOf(asked, seasons) }),
    [wire, path, key, cursor],
    { every: LOOK_MS },
  )
  return (
    <>
      <Tools asked={asked} seasons={seasons} />
      <div class="rating-board">
        <Card title={titleOf(asked)} {...noteOf(read.now.value)} flush>
          <View of={read.now} as="rows" again={read.again}>
            {(board) =>
              board.data.length === 0 ? (
                <Nobody asked={asked} placementMatches={rating.placement_matches} />
              ) : (
                <BoardTable rating={rating} board={board} asked={asked} />
              )
            }
          </View>
          <Pages
            isFirst={cursors.value.length === 0}
            next={read.now.value.is === 'ready' && asked.player === '' ? read.now.value.data.next_cursor : undefined}
            onBack={() => (cursors.value = cursors.value.slice(0, -1))}
            onNext={(next) => (cursors.value = [...cursors.value, next])}
          />
        </Card>
      </div>
    </>
  )
}

const titleOf = ({ player, placement }: BoardQuery): string =>
  player === '' ? (placement ? 'Players in placement' : 'Leaderboard') : 'Around the player'

const noteOf = (now: Loadable<Board>) => (now.is === 'ready' ? { note: counted(now.data.total, 'player') } : {})

function Tools({ asked, seasons }: { readonly asked: BoardQuery; readonly seasons: WholeRating['seasons'] }) {
  return (
    <div class="rating-tools">
      <FindPlayer key={asked.player} player={asked.player} />
      {asked.player !== '' && (
        <Button kind="quiet" onClick={() => setQuery('player', '')}>
          Whole leaderboard
        </Button>
      )}
      {asked.player === '' && (
        <Tabs
          label="Players"
          tabs={[
            { id: 'ranked', label: 'Ranked' },
            { id: 'placement', label: 'In placement' },
          ]}
          now={asked.placement ? 'placement' : 'ranked'}
          onChange={(list) => setQuery('list', list === 'ranked' ? '' : list)}
        />
      )}
      {seasons.length > 0 && (
        <Select
          label="Season"
          value={asked.season === undefined ? '' : `${asked.season}`}
          options={optionsOf(seasons)}
          onChange={(season) => setQuery('season', season)}
        />
      )}
    </div>
  )
}

function FindPlayer({ player }: { readonly player: string }) {
  const id = useSignal(player)
  return (
    <form
      class="rating-find"
      onSubmit={(event) => {
        event.preventDefault()
        setQuery('player', id.value)
      }}
    >
      <Input
        value={id.value}
        onInput={(value) => (id.value = value)}
        placeholder="Player id"
        aria-label="Player id"
        autocomplete="off"
        maxLength={128}
      />
      <Button icon="search" submit>
        Find
      </Button>
    </form>
  )
}

function Nobody({
  asked: { player, placement },
  placementMatches,
}: {
  readonly asked: BoardQuery
  readonly placementMatches: number
}) {
  if (player !== '') {
    return (
      <Empty icon="ratings" title="Not on this leaderboard">
        The player is in placement, or has no counted match of this season. Ids are case-sensitive.
      </Empty>
    )
  }
  if (placement) {
    return (
      <Empty icon="ratings" title="No player is in placement">
        A player is in placement during the first {counted(placementMatches, 'match', 'matches')} of a season.
      </Empty>
    )
  }
  return (
    <Empty icon="ratings" title="No player yet">
      A player is listed after {counted(placementMatches, 'counted match', 'counted matches')}. A match counts when its
      result is recorded: by the game server, by your backend, or on the page of the match.
    </Empty>
  )
}

interface BoardTableProps {
  readonly rating: Rating
  readonly board: Board
  readonly asked: BoardQuery
}

function BoardTable({ rating, board, asked }: BoardTableProps) {
  const rows = useRows(board.data)
  return (
    <Table
      label="Leaderboard"
      rows={rows}
      columns={columnsOf(rating, asked)}
      keyOf={({ player_id }) => player_id}
      height="rows"
    />
  )
}

/** Returns the columns of the leaderboard. The player whom the address names is marked. */
const columnsOf = (rating: Rating, { player, placement }: BoardQuery): readonly Column<Standing>[] => [
  {
    id: 'rank',
    title: 'Rank',
    width: '64px',
    end: true,
    cell: ({ rank }) => (rank === null ? <span class="quiet">–</span> : number(rank)),
  },
  {
    id: 'player',
    title: 'Player',
    width: 'minmax(96px, 3fr)',
    cell: ({ player_id }) => {
      const id = <Id href={href('players', player_id)}>{player_id}</Id>
      return player_id === player ? <strong class="rating-wanted">{id}</strong> : id
    },
  },
  { id: 'value', title: 'Rating', width: '72px', end: true, cell: ({ value }) => number(value) },
  {
    id: 'uncertainty',
    title: 'Uncertainty',
    width: '88px',
    end: true,
    wide: true,
    cell: ({ sigma }) => `± ${number(uncertaintyOf(rating, sigma))}`,
  },
  {
    id: 'matches',
    title: 'Matches',
    width: '72px',
    end: true,
    wide: !placement,
    cell: ({ matches }) => (placement ? `${number(matches)} / ${number(rating.placement_matches)}` : number(matches)),
  },
  {
    id: 'at',
    title: 'Changed',
    width: '112px',
    end: true,
    wide: true,
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
]

function Pages({
  isFirst,
  next,
  onBack,
  onNext,
}: {
  readonly isFirst: boolean
  readonly next: string | null | undefined
  readonly onBack: () => void
  readonly onNext: (cursor: string) => void
}) {
  if (isFirst && typeof next !== 'string') return null
  return (
    <nav class="line rating-pages" aria-label="Pages of the leaderboard">
      <Button small disabled={isFirst} onClick={onBack}>
        Previous page
      </Button>
      <Button small disabled={typeof next !== 'string'} onClick={() => typeof next === 'string' && onNext(next)}>
        Next page
      </Button>
    </nav>
  )
}
