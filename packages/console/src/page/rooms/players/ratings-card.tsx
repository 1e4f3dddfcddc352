import type { Standing } from '@matchyard/client'
import type { Rating } from '@matchyard/client/admin'
import { useProject, useRead } from '../../data/hooks'
import { href } from '../../data/route'
import { Card, CHANGED_COLUMN, type Column, number, Table, Text, useRows } from '../../ui'
import { readRatings, uncertaintyOf } from '../ratings/read'

/** Standings of a player in the present seasons, with links to the leaderboards. */
export function RatingsCard({ of: standings }: { readonly of: readonly Standing[] }) {
  const { admin } = useProject()
  const { value } = useRead(() => readRatings(admin), [admin]).now
  const rows = useRows(standings)
  const known = new Map(value.is === 'ready' ? value.data.map((rating) => [rating.rating_id, rating] as const) : [])
  return (
    <Card title="Ratings" note={number(standings.length)} flush>
      <Table
        label="Ratings"
        rows={rows}
        columns={columnsOf(known)}
        keyOf={({ rating_id }) => rating_id}
        hrefOf={boardOf}
        height="rows"
      />
    </Card>
  )
}

/** Returns the address of the part of the leaderboard that shows a player. */
const boardOf = ({ rating_id, player_id, placed }: Standing): string =>
  `${href('ratings', rating_id)}?${placed ? new URLSearchParams({ player: player_id }) : 'list=placement'}`

const columnsOf = (known: ReadonlyMap<string, Rating>): readonly Column<Standing>[] => [
  {
    id: 'rating',
    title: 'Rating',
    width: 'minmax(96px, 2fr)',
    cell: ({ rating_id }) => <Text>{known.get(rating_id)?.name ?? rating_id}</Text>,
  },
  {
    id: 'season',
    title: 'Season',
    width: 'minmax(80px, 1fr)',
    wide: true,
    cell: ({ season }) => <Text>{season ?? '–'}</Text>,
  },
  {
    id: 'value',
    title: 'Value',
    width: '104px',
    end: true,
    cell: ({ rating_id, value, sigma }) => {
      const rating = known.get(rating_id)
      return `${number(value)}${rating === undefined ? '' : ` ± ${number(uncertaintyOf(rating, sigma))}`}`
    },
  },
  {
    id: 'rank',
    title: 'Rank',
    width: '80px',
    end: true,
    cell: ({ placed, rank }) => (placed ? (rank === null ? '> 10,000' : number(rank)) : 'placement'),
  },
  {
    id: 'matches',
    title: 'Matches',
    width: '72px',
    end: true,
    wide: true,
    cell: ({ rating_id, placed, matches }) => {
      const needed = placed ? undefined : known.get(rating_id)?.placement_matches
      return needed === undefined ? number(matches) : `${number(matches)} / ${number(needed)}`
    },
  },
  CHANGED_COLUMN,
]
