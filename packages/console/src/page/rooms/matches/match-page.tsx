import './matches.css'
import type { MatchSnapshot } from '@matchyard/client'
import { isExternal } from '../../data/external'
import { useIsOperator, useOne, useProject, useRead } from '../../data/hooks'
import { href } from '../../data/route'
import {
  Button,
  Card,
  counted,
  Facts,
  Id,
  type Moment,
  outcomeOf,
  Page,
  span,
  Text,
  Time,
  Timeline,
  UnreadPage,
} from '../../ui'
import { BuildLink } from '../servers/build-link'
import { LogCard } from '../servers/log-card'
import { endMatch } from './end-match'
import { KeptSeats } from './kept-seats'
import { Lasted, Outcome, playersOf } from './parts'
import { ResultCard } from './result-card'
import { Waits } from './waits'

const back = () => ({ href: href('matches'), label: 'Matches' })

/** Page of a match: its players, its result, its server, its history and its log. */
export function MatchPage({ id }: { readonly id: string }) {
  const { admin } = useProject()
  const { thing: match, read } = useOne('match', id, () => admin.matches.get(id))
  if (match !== undefined) return <Shown match={match} again={read.again} />
  return <UnreadPage id={id} back={back()} read={read} />
}

function Shown({ match, again }: { readonly match: MatchSnapshot; readonly again: () => Promise<void> }) {
  return (
    <Page
      title="Match"
      beside={<Outcome match={match} />}
      back={back()}
      actions={match.status !== 'ended' && match.status !== 'proposed' && <End match={match} />}
    >
      <div class="columns">
        {match.teams.map((team) => (
          <Card key={team.name} title={team.name} note={counted(team.players.length, 'player')} flush>
            <ul class="team">
              {team.players.map(({ player_id, lobby_id, role, left_at }) => (
                <li key={`${player_id} ${lobby_id} ${left_at ?? ''}`} class={left_at === undefined ? '' : 'left'}>
                  {player_id === '' ? (
                    <span class="quiet">erased player</span>
                  ) : (
                    <Id href={href('players', player_id)}>{player_id}</Id>
                  )}
                  <span class="quiet small">
                    {role !== null && <Text>{role}</Text>}
                    {role !== null && left_at !== undefined && ', '}
                    {left_at !== undefined && (
                      <>
                        left <Time at={left_at} />
                      </>
                    )}
                  </span>
                  <a class="small" href={href('lobbies', lobby_id)}>
                    Lobby
                  </a>
                </li>
              ))}
            </ul>
          </Card>
        ))}
      </div>
      <ResultCard match={match} again={again} />
      <div class="columns">
        <About match={match} />
        <KeptSeats match={match} />
        <Card title="History">
          <Timeline label="History of the match, newest first" moments={momentsOf(match)} />
        </Card>
        <Waits match={match} />
      </div>
      {match.server !== null && !isExternal(match.server) && (
        <LogCard instanceId={match.server.instance_id} at={match.ended_at ?? undefined} />
      )}
    </Page>
  )
}

function End({ match }: { readonly match: MatchSnapshot }) {
  const { admin } = useProject()
  const lobby = playersOf(match).find(({ left_at }) => left_at === undefined)?.lobby_id
  return (
    <Button
      icon="stop"
      disabled={lobby === undefined}
      onClick={async () => lobby !== undefined && endMatch(admin, lobby)}
    >
      End match
    </Button>
  )
}

function About({ match }: { readonly match: MatchSnapshot }) {
  return (
    <Card title="About">
      <Facts
        of={[
          ['Id', <Id key="id">{match.match_id}</Id>],
          [
            'Queue',
            <a key="queue" href={href('queues', match.queue_id)}>
              <Text>{match.queue_id}</Text>
            </a>,
          ],
          ['Region', match.region],
          [
            'Server',
            match.server === null ? (
              'none'
            ) : (
              <Id
                key="server"
                {...(isExternal(match.server) ? {} : { href: href('servers', match.server.instance_id) })}
              >
                {match.server.instance_id}
              </Id>
            ),
          ],
          ...(match.server === null || isExternal(match.server)
            ? []
            : [
                ['Build', <BuildOfMatch key="build" match={match} />] as const,
                ...(match.ended_at === null
                  ? []
                  : [
                      [
                        'Log',
                        <LogOfMatch key="log" instanceId={match.server.instance_id} at={match.ended_at} />,
                      ] as const,
                    ]),
                ['Machine', <MachineOfMatch key="machine" instanceId={match.server.instance_id} />] as const,
              ]),
          [
            'Duration',
            <span key="lasted" class="figures">
              <Lasted match={match} />
            </span>,
          ],
          ['Open seats', seatsOf(match)],
        ]}
      />
    </Card>
  )
}

/** Link to the build version that the match's server runs, and to the matches of that build with the same outcome. */
function BuildOfMatch({
  match: { version_tag, build_id, build_version, end_reason },
}: {
  readonly match: MatchSnapshot
}) {
  if (version_tag === null || build_version === null) return <span class="quiet">–</span>
  const alike = new URLSearchParams({ show: 'past', build: `${version_tag}@${build_version}` })
  if (end_reason !== null) alike.set('reason', end_reason)
  return (
    <span class="line">
      <BuildLink of={{ version_tag, build_id, build_version }} />
      <a class="small" href={`${href('matches')}?${alike}`}>
        Matches like this
      </a>
    </span>
  )
}

/** Link to the lines of the server's log at the end of the match. */
const LogOfMatch = ({ instanceId, at }: { readonly instanceId: string; readonly at: string }) => (
  <a href={`${href('servers', instanceId)}?${new URLSearchParams({ at })}`}>Lines at the end of the match</a>
)

/** Machine that runs or ran the server of the match; a link for operators. */
function MachineOfMatch({ instanceId }: { readonly instanceId: string }) {
  const { admin } = useProject()
  const isOperator = useIsOperator()
  const { value } = useRead(() => admin.servers.get(instanceId), [admin, instanceId]).now
  const id = value.is === 'ready' ? value.data.node_id : null
  if (id === null) return <span class="quiet">–</span>
  return isOperator ? (
    <a href={href('machines', id)}>
      <Text>{id}</Text>
    </a>
  ) : (
    <Text>{id}</Text>
  )
}

/** Returns the open seats of a match in words. */
const seatsOf = ({ backfill }: MatchSnapshot): string => {
  if (backfill === undefined) return 'no backfill requested'
  if (backfill.teams.length === 0) return 'all requested seats are kept'
  return backfill.teams.map(({ name, open }) => `${open} in ${name.slice(0, 40)}`).join(', ')
}

function momentsOf(match: MatchSnapshot): readonly Moment[] {
  const left = playersOf(match).flatMap(({ player_id, left_at }): Moment[] =>
    left_at === undefined
      ? []
      : [
          {
            key: `${player_id} ${left_at}`,
            at: left_at,
            tone: 'still',
            title: (
              <>
                Left:{' '}
                {player_id === '' ? (
                  'erased player'
                ) : (
                  <a href={href('players', player_id)}>
                    <Text>{player_id}</Text>
                  </a>
                )}
              </>
            ),
          },
        ],
  )
  const made: Moment = {
    key: 'made',
    at: match.created_at,
    tone: 'info',
    title: `Formed from ${counted(playersOf(match).length, 'player')}`,
  }
  const started: Moment[] =
    match.started_at === null
      ? []
      : [{ key: 'started', at: match.started_at, tone: 'good', title: 'Started: players can connect' }]
  return [made, ...started, ...left, ...resultsOf(match), ...endOf(match)].sort((a, b) => b.at.localeCompare(a.at))
}

function resultsOf({ result }: MatchSnapshot): readonly Moment[] {
  if (result === null) return []
  const { recorded_at, amended_at } = result
  const recorded: Moment = { key: 'recorded', at: recorded_at, tone: 'info', title: 'Result recorded' }
  if (amended_at === null) return [recorded]
  return [recorded, { key: 'amended', at: amended_at, tone: 'wait', title: 'Result amended' }]
}

function endOf({ ended_at, started_at, end_reason, ...exit }: MatchSnapshot): readonly Moment[] {
  if (ended_at === null) return []
  const [tone, what] = end_reason === null ? (['still', 'Ended'] as const) : outcomeOf(end_reason)
  const how = exit.exit_signal ?? (exit.exit_code === null ? undefined : `exit code ${exit.exit_code}`)
  const played =
    started_at === null
      ? 'before players could connect'
      : `after ${span(Math.round((Date.parse(ended_at) - Date.parse(started_at)) / 1_000))} of play`
  return [{ key: 'ended', at: ended_at, tone, title: `${what}${how === undefined ? '' : ` (${how})`}, ${played}` }]
}
