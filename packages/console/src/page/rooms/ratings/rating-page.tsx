import './ratings.css'
import { useProject, useRead } from '../../data/hooks'
import { href, setQuery } from '../../data/route'
import { Id, Page, Tabs, Text, View } from '../../ui'
import { Calibrated } from './calibration'
import { Leaderboard } from './leaderboard'
import { readSeasons, type WholeRating } from './read'
import { Seasons } from './seasons'
import { RatingSettings } from './settings'

const LOOK_MS = 15_000
const back = () => ({ href: href('ratings'), label: 'Ratings' })
const PARTS = [
  { id: 'leaderboard', label: 'Leaderboard' },
  { id: 'seasons', label: 'Seasons' },
  { id: 'calibration', label: 'Calibration' },
  { id: 'settings', label: 'Settings' },
] as const

interface RatingPageProps {
  readonly id: string
  readonly query: URLSearchParams
}

/** Page of a rating: its leaderboard, its seasons, its calibration and its settings. */
export function RatingPage({ id, query }: RatingPageProps) {
  const { admin } = useProject()
  const part = PARTS.find((one) => one.id === query.get('show'))?.id ?? 'leaderboard'
  const read = useRead<WholeRating>(
    async () => {
      const [rating, seasons] = await Promise.all([admin.ratings.get(id), readSeasons(admin, id)])
      return { rating, seasons }
    },
    [admin, id],
    { every: LOOK_MS },
  )
  const { value } = read.now
  const known = value.is === 'ready' ? value.data : undefined
  return (
    <Page
      title={known === undefined ? <Id>{id}</Id> : <Text>{known.rating.name}</Text>}
      beside={
        known !== undefined && (
          <span class="quiet small">
            <Text>{known.seasons.at(-1)?.name ?? 'No season yet'}</Text>
          </span>
        )
      }
      back={back()}
      heardAt={read.heardAt}
      tools={
        <Tabs
          label="Part of the rating"
          tabs={PARTS}
          now={part}
          onChange={(next) => setQuery('show', next === 'leaderboard' ? '' : next)}
        />
      }
    >
      <View of={read.now} as="rows" again={read.again}>
        {(whole) => (
          <>
            {part === 'leaderboard' && <Leaderboard of={whole} query={query} />}
            {part === 'seasons' && <Seasons of={whole} again={read.again} />}
            {part === 'calibration' && <Calibrated ratingId={id} />}
            {part === 'settings' && (
              <RatingSettings key={whole.rating.updated_at} of={whole.rating} again={read.again} />
            )}
          </>
        )}
      </View>
    </Page>
  )
}
