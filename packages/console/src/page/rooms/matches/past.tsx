import type { MatchSnapshot } from '@matchyard/client'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { askedBuild, askedText } from '../../data/asked'
import { useProject, useRead } from '../../data/hooks'
import { href, setQuery } from '../../data/route'
import type { Query } from '../../data/wire'
import { Button, type Column, Empty, FilterEntry, outcomeOf, Select, Table, Time, useRows, View } from '../../ui'
import { QUEUE_COLUMN } from '../queues/queue-column'
import { BuildLink } from '../servers/build-link'
import { Lasted, Outcome, playersOf } from './parts'

const PAGE = 100
const HOUR_MS = 3_600_000

const RANGES = [
  ['', 'Any time'],
  ['1', 'Last hour'],
  ['6', 'Last 6 hours'],
  ['24', 'Last day'],
  ['168', 'Last 7 days'],
] as const
type Range = (typeof RANGES)[number][0]

const REASONS = [
  'match_ended',
  'server_failed',
  'launch_failed',
  'build_missing',
  'no_room',
  'server_stopped',
  'server_expired',
  'match_expired',
  'backend_ended',
  'player_left',
] as const

const COLUMNS: readonly Column<MatchSnapshot>[] = [
  {
    id: 'match',
    title: 'Match',
    width: 'minmax(104px, 1fr)',
    cell: (match) => <span class="mono">{`…${match.match_id.slice(-10)}`}</span>,
  },
  { id: 'outcome', title: 'Outcome', width: 'minmax(120px, 1.4fr)', cell: (match) => <Outcome match={match} /> },
  { id: 'exit', title: 'Exit', width: '80px', wide: true, cell: (match) => exitOf(match) },
  QUEUE_COLUMN,
  {
    id: 'build',
    title: 'Build',
    width: 'minmax(88px, 1fr)',
    wide: true,
    cell: ({ version_tag, build_id, build_version }) =>
      version_tag === null ? <span class="quiet">–</span> : <BuildLink of={{ version_tag, build_id, build_version }} />,
  },
  { id: 'size', title: 'Players', width: '72px', end: true, wide: true, cell: (match) => playersOf(match).length },
  { id: 'lasted', title: 'Duration', width: '80px', end: true, wide: true, cell: (match) => <Lasted match={match} /> },
  { id: 'made', title: 'Made', width: '104px', end: true, cell: (match) => <Time at={match.created_at} /> },
]

/** Returns how the process of the match's server ended: a signal or an exit code. */
const exitOf = ({ exit_code, exit_signal }: MatchSnapshot) =>
  exit_signal ?? (exit_code === null ? <span class="quiet">–</span> : `code ${exit_code}`)

/** Filters of the list in the address. */
interface Asked {
  readonly queue: string
  readonly reason: string
  readonly build: string
  readonly player: string
  readonly hours: Range
}

const askedIn = (query: URLSearchParams): Asked => {
  const hours = query.get('hours')
  return {
    queue: query.get('queue') ?? '',
    reason: query.get('reason') ?? '',
    build: query.get('build') ?? '',
    player: query.get('player') ?? '',
    hours: RANGES.find(([range]) => range === hours)?.[0] ?? '',
  }
}

/** List of all stored matches that fit the filters in the address, page by page. */
export function PastMatches({ query }: { readonly query: URLSearchParams }) {
  const { wire } = useProject()
  const asked = askedIn(query)
  const key = JSON.stringify(asked)
  const cursors = useSignal<readonly string[]>([])
  useEffect(() => {
    cursors.value = []
  }, [key, cursors])
  const cursor = cursors.value.at(-1)
  const filter = useMemo(() => filterOf(asked), [key])
  const read = useRead(() => wire.get<Page>('/v1/matches', { limit: PAGE, cursor, ...filter }), [wire, filter, cursor])
  return (
    <>
      <Filters asked={asked} />
      <View of={read.now} as="rows" again={read.again}>
        {({ data, next_cursor }) => (
          <>
            {data.length === 0 ? (
              <Empty icon="matches" title="No match fits this filter">
                Matches are stored until their retention time ends.
              </Empty>
            ) : (
              <Matches key={cursor ?? ''} of={data} />
            )}
            {(cursors.value.length > 0 || next_cursor !== null) && (
              <nav class="line match-pages" aria-label="Pages of the matches">
                <Button
                  small
                  disabled={cursors.value.length === 0}
                  onClick={() => (cursors.value = cursors.value.slice(0, -1))}
                >
                  Newer matches
                </Button>
                <Button
                  small
                  disabled={next_cursor === null}
                  onClick={() => {
                    if (next_cursor !== null) cursors.value = [...cursors.value, next_cursor]
                  }}
                >
                  Older matches
                </Button>
              </nav>
            )}
          </>
        )}
      </View>
    </>
  )
}

function Matches({ of }: { readonly of: readonly MatchSnapshot[] }) {
  return (
    <Table
      label="Matches"
      rows={useRows(of)}
      columns={COLUMNS}
      keyOf={(match) => match.match_id}
      hrefOf={(match) => href('matches', match.match_id)}
    />
  )
}

interface Page {
  readonly data: readonly MatchSnapshot[]
  readonly next_cursor: string | null
}

function filterOf({ queue, reason, build, player, hours }: Asked): Query {
  return {
    queue_id: askedText(queue),
    end_reason: askedText(reason),
    build_version: askedBuild(build),
    player_id: askedText(player),
    from: hours === '' ? undefined : new Date(Date.now() - Number(hours) * HOUR_MS).toISOString(),
  }
}

function Filters({ asked: { reason, build, player, hours } }: { readonly asked: Asked }) {
  return (
    <div class="line match-filters">
      <Select
        label="Outcome"
        value={reason}
        onChange={(value) => setQuery('reason', value)}
        options={[['', 'Any outcome'], ...REASONS.map((one) => [one as string, outcomeOf(one)[1]] as const)]}
      />
      <Select label="Time" value={hours} onChange={(value) => setQuery('hours', value)} options={RANGES} />
      <FilterEntry label="Build, such as arena@3" name="build" value={build} />
      <FilterEntry label="Player id" name="player" value={player} />
    </div>
  )
}
