import type { Season } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { href } from '../../data/route'
import {
  Button,
  Card,
  type Column,
  Dialog,
  Empty,
  type Faults,
  Field,
  faultsOf,
  Input,
  NO_FAULTS,
  number,
  OtherFault,
  Status,
  say,
  Table,
  Text,
  Time,
  useRows,
} from '../../ui'
import type { WholeRating } from './rating-page'

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
            A season brings the skills of all players nearer to the initial skill. The earlier standings stay readable.
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
        <StartDialog
          ratingId={rating.rating_id}
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

function StartDialog({
  ratingId,
  onClose,
  onStarted,
}: {
  readonly ratingId: string
  readonly onClose: () => void
  readonly onStarted: () => void
}) {
  const { admin } = useProject()
  const name = useSignal('')
  const keep = useSignal('50')
  const wrong = useSignal<Faults>(NO_FAULTS)
  const start = async () => {
    wrong.value = NO_FAULTS
    try {
      await admin.ratings.startSeason(ratingId, { name: name.value.trim(), keep: Number(keep.value) / 100 })
      say(`The season ${name.value.trim().slice(0, 64)} has started.`)
      onStarted()
    } catch (error) {
      wrong.value = faultsOf(error, ['name', 'keep'])
    }
  }
  const { of } = wrong.value
  return (
    <Dialog
      title="Start a season"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={name.value.trim() === '' || keep.value === ''} onClick={start}>
            Start the season
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>The present season ends now. This cannot be undone.</p>
        <Field label="Name" error={of.name}>
          {(given) => <Input {...given} value={name.value} maxLength={128} onInput={(value) => (name.value = value)} />}
        </Field>
        <Field
          label="Kept, in percent"
          hint="100: players keep their skills. 0: all players begin anew. In between, skills move toward the initial skill."
          error={of.keep === undefined ? undefined : 'must be from 0 to 100'}
        >
          {(given) => (
            <Input
              {...given}
              type="number"
              min={0}
              max={100}
              step="any"
              value={keep.value}
              onInput={(value) => (keep.value = value)}
            />
          )}
        </Field>
        <OtherFault of={wrong.value} />
      </div>
    </Dialog>
  )
}
