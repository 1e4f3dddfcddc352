import './ratings.css'
import type { Queue, Rating } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useLive, useProject, useRead } from '../../data/hooks'
import { href } from '../../data/route'
import { Button, CHANGED_COLUMN, type Column, Empty, number, Page, Table, Text, useRows, View } from '../../ui'
import { modelOf } from './draft'
import { NewRatingDialog } from './new-rating'
import { readRatings } from './read'

const LOOK_MS = 15_000

/** List of the project's ratings. */
export function RatingList() {
  const { admin } = useProject()
  const read = useRead(() => readRatings(admin), [admin], { every: LOOK_MS })
  const makes = useSignal(false)
  const make = (
    <Button kind="primary" icon="plus" onClick={() => (makes.value = true)}>
      New rating
    </Button>
  )
  const { value } = read.now
  const none = value.is !== 'ready' || value.data.length === 0
  return (
    <Page title="Ratings" heardAt={read.heardAt} {...(none ? {} : { actions: make })} fill>
      <View of={read.now} as="rows" again={read.again}>
        {(ratings) =>
          ratings.length === 0 ? (
            <Empty icon="ratings" title="No rating yet" action={make}>
              A rating turns the results of matches into skills of players. Queues match players by it, and it has a
              leaderboard with seasons.
            </Empty>
          ) : (
            <RatingTable ratings={ratings} />
          )
        }
      </View>
      {makes.value && <NewRatingDialog onClose={() => (makes.value = false)} />}
    </Page>
  )
}

function RatingTable({ ratings }: { readonly ratings: readonly Rating[] }) {
  const rows = useRows(ratings)
  const queues = useQueuesByRating()
  return (
    <Table
      label="Ratings"
      rows={rows}
      columns={columnsOf(queues)}
      keyOf={({ rating_id }) => rating_id}
      hrefOf={({ rating_id }) => href('ratings', rating_id)}
    />
  )
}

/** Returns the queues that name each rating, by rating id. */
export function useQueuesByRating(): ReadonlyMap<string, readonly Queue[]> {
  const { things } = useLive('queue')
  void things.revision.value
  const all = new Map<string, Queue[]>()
  for (const queue of things.all()) {
    if (queue.rating !== null) all.set(queue.rating, [...(all.get(queue.rating) ?? []), queue])
  }
  return all
}

const columnsOf = (queues: ReadonlyMap<string, readonly Queue[]>): readonly Column<Rating>[] => [
  {
    id: 'name',
    title: 'Rating',
    width: 'minmax(120px, 2fr)',
    cell: ({ name, rating_id }) => (
      <>
        <Text>{name}</Text>
        {name !== rating_id && (
          <>
            {' '}
            <span class="quiet small mono">{rating_id}</span>
          </>
        )}
      </>
    ),
  },
  { id: 'model', title: 'Model', width: 'minmax(232px, 1fr)', wide: true, cell: ({ model }) => modelOf(model) },
  {
    id: 'queues',
    title: 'Queues',
    width: 'minmax(72px, 1fr)',
    cell: ({ rating_id }) => <Text>{(queues.get(rating_id) ?? []).map(({ name }) => name).join(', ') || '–'}</Text>,
  },
  {
    id: 'placement',
    title: 'Placement',
    width: '88px',
    end: true,
    wide: true,
    cell: ({ placement_matches }) => number(placement_matches),
  },
  CHANGED_COLUMN,
]
