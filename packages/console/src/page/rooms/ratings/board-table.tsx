import type { Standing } from '@matchyard/client'
import type { Rating } from '@matchyard/client/admin'
import { href } from '../../data/route'
import { CHANGED_COLUMN, type Column, Id, number, Table, useRows } from '../../ui'
import type { BoardQuery } from './board-query'
import { type Board, uncertaintyOf } from './read'

interface BoardTableProps {
  readonly rating: Rating
  readonly board: Board
  readonly asked: BoardQuery
}

/** Table of the standings of one page of a leaderboard. */
export function BoardTable({ rating, board, asked }: BoardTableProps) {
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

const RANK: Column<Standing> = {
  id: 'rank',
  title: 'Rank',
  width: '64px',
  end: true,
  cell: ({ rank }) => (rank === null ? <span class="quiet">–</span> : number(rank)),
}

/** Returns the columns of the leaderboard. The player whom the address names is marked. Players in placement have no rank. */
const columnsOf = (rating: Rating, { player, placement }: BoardQuery): readonly Column<Standing>[] => [
  ...(placement ? [] : [RANK]),
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
  CHANGED_COLUMN,
]
