import type { Season } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { href } from '../../data/route'
import { Button, Card, type Column, Empty, number, Status, Table, Text, Time, useRows } from '../../ui'
import type { WholeRating } from './read'
import { StartSeasonDialog } from './start-season'

interface NumberedSeason extends Season {
  /** Number of the season, from 1. */
  readonly number: number
  readonly isPresent: boolean
}

interface SeasonsProps {
  readonly of: WholeRating
  readonly again: () => Promise<void>
}

/** Seasons of a rating, with the action that starts one. */
export function Seasons({ of: { rating, seasons }, again }: SeasonsProps) {
  const starts = useSignal(false)
  const all = seasons.map((season, at) => ({ ...season, number: at + 1, isPresent: at === seasons.length - 1 }))
  const rows = useRows(all.reverse())
  const start = (
    <Button small icon="plus" onClick={() => (starts.value = true)}>
      Start a season
    </Button>
  )
  return (
    <>
      <Card title="Seasons" note={number(seasons.length)} flush actions={seasons.length > 0 && start}>
        {seasons.length === 0 ? (
          <Empty icon="ratings" title="No season yet" action={start}>
            A new season moves the skills of all players toward the initial skill and begins an empty leaderboard. The
            earlier standings stay readable.
          </Empty>
        ) : (
          <Table
            label="Seasons"
            rows={rows}
            columns={columnsOf(rating.rating_id)}
            keyOf={({ name }) => name}
            height="rows"
          />
        )}
      </Card>
      {starts.value && (
        <StartSeasonDialog
          of={{ rating, seasons }}
          onClose={() => (starts.value = false)}
          onStarted={() => {
            starts.value = false
            void again()
          }}
        />
      )}
    </>
  )
}

const percent = (share: number): string => `${number(Math.round(share * 1_000) / 10)} %`

const columnsOf = (ratingId: string): readonly Column<NumberedSeason>[] => [
  { id: 'name', title: 'Season', width: 'minmax(96px, 2fr)', cell: ({ name }) => <Text>{name}</Text> },
  {
    id: 'status',
    title: 'Status',
    width: '96px',
    cell: ({ isPresent }) => (isPresent ? <Status tone="good">Present</Status> : <Status tone="still">Ended</Status>),
  },
  { id: 'keep', title: 'Kept', width: '72px', end: true, wide: true, cell: ({ keep }) => percent(keep) },
  {
    id: 'at',
    title: 'Started',
    width: '112px',
    end: true,
    wide: true,
    cell: ({ started_at }) => <Time at={started_at} />,
  },
  {
    id: 'board',
    title: '',
    width: '96px',
    end: true,
    cell: ({ number: place, isPresent }) => (
      <a href={`${href('ratings', ratingId)}${isPresent ? '' : `?season=${place}`}`}>Leaderboard</a>
    ),
  },
]
