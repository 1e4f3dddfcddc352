import type { MatchSnapshot } from '@matchyard/client'
import { useFiltered } from '../../data/filtered'
import { useLive } from '../../data/hooks'
import { href, setQuery } from '../../data/route'
import { type Column, Empty, LiveView, number, Page, Search, Table, Tabs, Text, Time } from '../../ui'
import { QUEUE_COLUMN } from '../queues/queue-column'
import { QueueFilter } from '../queues/queue-filter'
import { Lasted, Outcome, playersOf } from './parts'
import { PastMatches } from './past'

type Shown = 'on' | 'ended' | 'all' | 'past'

const COLUMNS: readonly Column<MatchSnapshot>[] = [
  {
    id: 'match',
    title: 'Match',
    width: 'minmax(120px, 1.2fr)',
    cell: (match) => <span class="mono">{`…${match.match_id.slice(-10)}`}</span>,
  },
  {
    id: 'status',
    title: 'Status',
    width: 'minmax(104px, 1fr)',
    cell: (match) => <Outcome match={match} />,
  },
  QUEUE_COLUMN,
  {
    id: 'players',
    title: 'Players',
    width: 'minmax(96px, 2fr)',
    wide: true,
    cell: (match) => (
      <Text>
        {playersOf(match)
          .slice(0, 12)
          .map(({ player_id }) => player_id || 'erased player')
          .join(', ')}
      </Text>
    ),
  },
  {
    id: 'size',
    title: 'Teams',
    width: '72px',
    end: true,
    cell: (match) =>
      match.teams.map(({ players }) => players.filter(({ left_at }) => left_at === undefined).length).join(' : '),
  },
  { id: 'region', title: 'Region', width: '56px', wide: true, cell: (match) => match.region },
  { id: 'lasted', title: 'Duration', width: '80px', end: true, wide: true, cell: (match) => <Lasted match={match} /> },
  {
    id: 'made',
    title: 'Created',
    width: '104px',
    end: true,
    wide: true,
    cell: (match) => <Time at={match.created_at} />,
  },
]

/** List of matches: the running matches, and the matches that ended recently. */
export function MatchList({ query }: { readonly query: URLSearchParams }) {
  const live = useLive('match')
  const words = (query.get('find') ?? '').trim().toLowerCase()
  const queue = query.get('queue') ?? ''
  const asked = query.get('show')
  const shown: Shown = asked === 'ended' || asked === 'all' || asked === 'past' ? asked : 'on'
  const { rows, counts } = useFiltered(live.things, {
    holds: (match) =>
      (shown === 'all' || (match.status === 'ended') === (shown === 'ended')) &&
      (queue === '' || match.queue_id === queue) &&
      (words === '' || isFound(match, words)),
    sortOf: (match) => (match.status === 'ended' ? 'ended' : 'on'),
    of: [shown, queue, words],
  })
  const on = counts.get('on') ?? 0
  const ended = counts.get('ended') ?? 0
  const isKnown = live.reading.value.is === 'ready'
  return (
    <Page
      title="Matches"
      fill
      tools={
        <>
          {shown !== 'past' && (
            <Search value={query.get('find') ?? ''} onInput={(value) => setQuery('find', value)} label="Player or id" />
          )}
          <QueueFilter queue={queue} />
          <Tabs
            label="Filter matches"
            now={shown}
            onChange={(value) => setQuery('show', value === 'on' ? '' : value)}
            tabs={[
              { id: 'on', label: 'Live', ...(isKnown && { count: on }) },
              { id: 'ended', label: 'Ended', ...(isKnown && { count: ended }) },
              { id: 'all', label: 'All', ...(isKnown && { count: on + ended }) },
              { id: 'past', label: 'Search' },
            ]}
          />
        </>
      }
    >
      {shown === 'past' ? (
        <PastMatches query={query} />
      ) : (
        <LiveView
          of={live}
          empty={
            <Empty icon="matches" title="No matches yet" action={<a href={href('playground')}>Play a test match</a>}>
              The service forms a match from lobbies that pass the rules of their queue together.
            </Empty>
          }
        >
          {() =>
            rows.length === 0 ? (
              <Empty
                icon="matches"
                title={words === '' && shown === 'on' ? 'No live matches' : 'No match fits this filter'}
              >
                Ended matches searched: {number(ended)}.
              </Empty>
            ) : (
              <Table
                label="Matches"
                rows={rows}
                columns={COLUMNS}
                keyOf={(match) => match.match_id}
                hrefOf={(match) => href('matches', match.match_id)}
              />
            )
          }
        </LiveView>
      )}
    </Page>
  )
}

const isFound = (match: MatchSnapshot, words: string): boolean =>
  match.match_id.toLowerCase().includes(words) ||
  match.server?.instance_id.toLowerCase().includes(words) === true ||
  playersOf(match).some(({ player_id }) => player_id.toLowerCase().includes(words))
