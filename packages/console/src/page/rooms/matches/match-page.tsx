import './matches.css'
import { isMatchyardError, type LobbySnapshot, type MatchSnapshot } from '@matchyard/client'
import type { AdminClient } from '@matchyard/client/admin'
import { isExternal } from '../../data/external'
import { useLive, useProject, useRead } from '../../data/hooks'
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
  View,
} from '../../ui'
import { wait } from '../queues/list'
import { BuildLink } from '../servers/build-link'
import { LogCard } from '../servers/log-card'
import { endMatch } from './end-match'
import { Lasted, Outcome, playersOf } from './list'

const back = () => ({ href: href('matches'), label: 'Matches' })

/** One match: who plays in it, where, and who came and left. */
export function MatchPage({ id }: { readonly id: string }) {
  const { admin } = useProject()
  const { things } = useLive('match')
  const read = useRead(() => admin.matches.get(id), [admin, id])
  void things.revision.value
  const { value } = read.now
  const match = things.get(id) ?? (value.is === 'ready' ? value.data : undefined)
  if (match !== undefined) return <Shown match={match} />
  return (
    <Page title={<Id>{id}</Id>} back={back()} heardAt={read.heardAt}>
      <View of={read.now} again={read.again}>
        {() => null}
      </View>
    </Page>
  )
}

function Shown({ match }: { readonly match: MatchSnapshot }) {
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
                  {player_id === '' ? <span class="quiet">erased</span> : <Id>{player_id}</Id>}
                  <span class="quiet small">
                    {role !== null && <Text>{role}</Text>}
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
      <div class="columns">
        <About match={match} />
        <Card title="What happened">
          <Timeline label="What happened in the match, newest first" moments={momentsOf(match)} />
        </Card>
        <Waits match={match} />
      </div>
      {match.server !== null && !isExternal(match.server) && <LogCard instanceId={match.server.instance_id} />}
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
            : [['Build', <BuildOfMatch key="build" instanceId={match.server.instance_id} />] as const]),
          [
            'Lasted',
            <span key="lasted" class="figures">
              <Lasted match={match} />
            </span>,
          ],
          ['Open seats', <Seats key="seats" match={match} />],
        ]}
      />
    </Card>
  )
}

/** The version that the match is played on. */
function BuildOfMatch({ instanceId }: { readonly instanceId: string }) {
  const { admin } = useProject()
  const read = useRead(() => admin.servers.get(instanceId), [admin, instanceId])
  const { value } = read.now
  return value.is === 'ready' ? <BuildLink of={value.data} /> : <span class="quiet">–</span>
}

/** Who is asked to come into it. */
function Seats({ match }: { readonly match: MatchSnapshot }) {
  const { admin } = useProject()
  const isOn = match.status === 'running'
  const asked = useRead(async () => {
    if (!isOn) return undefined
    try {
      return await admin.matches.getBackfill(match.match_id)
    } catch (error) {
      if (isMatchyardError(error, 'BACKFILL_NOT_FOUND')) return undefined
      throw error
    }
  }, [admin, match.match_id, match.version])
  const { value } = asked.now
  if (value.is !== 'ready') return <span class="quiet">–</span>
  if (value.data === undefined) return <>nobody is asked for</>
  return <>{value.data.teams.map(({ name, open }) => `${open} in ${name}`).join(', ')}</>
}

/** How long each of its lobbies waited, and what its players brought: as far as they are still there. */
function Waits({ match }: { readonly match: MatchSnapshot }) {
  const { admin } = useProject()
  const ids = [...new Set(playersOf(match).map(({ lobby_id }) => lobby_id))].slice(0, 20)
  const read = useRead(async () => {
    const all = await Promise.all(ids.map((id) => admin.lobbies.get(id).catch(() => undefined)))
    const waits = await waitsOf(admin, match)
    return { lobbies: all.filter((lobby): lobby is LobbySnapshot => lobby !== undefined), waits }
  }, [admin, match.match_id, ids.join()])
  return (
    <Card title="Waits and spread">
      <View of={read.now} again={read.again}>
        {({ lobbies, waits }) => {
          const spreads = spreadsOf(match, lobbies)
          const [least = 0, most = 0] = [Math.min(...waits), Math.max(...waits)]
          const waited = waits.length < 2 || least === most ? wait(least) : `${wait(least)} to ${wait(most)}`
          return (
            <>
              <Facts
                of={[
                  [
                    'Waited',
                    <span key="waited" class="figures">
                      {waits.length === 0 ? '–' : waited}
                    </span>,
                  ],
                  ...spreads.map(
                    ({ field, low, high }) =>
                      [
                        field.slice(0, 40),
                        <span key={field} class="figures">{`${low} to ${high}, ${high - low} apart`}</span>,
                      ] as const,
                  ),
                ]}
              />
              {spreads.length === 0 && (
                <p class="quiet small">The players brought no figures to compare, or have gone.</p>
              )}
            </>
          )
        }}
      </View>
    </Card>
  )
}

/** Longer than most wait; who waited longer is not looked for. */
const LOOK_BACK_MS = 300_000
/** One page: of a busy queue more would be read than one match is worth. */
const LOOKED_AT = 1_000

/** How long the parties of a match waited for it, in seconds, as far as that is recorded. */
async function waitsOf(
  admin: AdminClient,
  { match_id, queue_id, created_at }: MatchSnapshot,
): Promise<readonly number[]> {
  const since = new Date(Date.parse(created_at) - LOOK_BACK_MS).toISOString()
  const waits: number[] = []
  let count = 0
  for await (const arrival of admin.queues.arrivals(queue_id, { since })) {
    if (arrival.match_id === match_id && arrival.wait_seconds !== null) waits.push(arrival.wait_seconds)
    if (++count === LOOKED_AT) break
  }
  return waits
}

interface Spread {
  readonly field: string
  readonly low: number
  readonly high: number
}

/** Of every figure that several players have in their state. */
function spreadsOf(match: MatchSnapshot, lobbies: readonly LobbySnapshot[]): readonly Spread[] {
  const inside = new Set(playersOf(match).map(({ player_id }) => player_id))
  const values = new Map<string, number[]>()
  for (const { player_id, state } of lobbies.flatMap(({ players }) => players)) {
    if (!inside.has(player_id)) continue
    for (const [field, value] of Object.entries(state).slice(0, 16)) {
      if (typeof value === 'number') values.set(field, [...(values.get(field) ?? []), value])
    }
  }
  return [...values]
    .filter(([, all]) => all.length > 1)
    .map(([field, all]) => ({ field, low: Math.min(...all), high: Math.max(...all) }))
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
                Left: <Text>{player_id || 'erased'}</Text>
              </>
            ),
          },
        ],
  )
  const made: Moment = {
    key: 'made',
    at: match.created_at,
    tone: 'info',
    title: `Made of ${counted(playersOf(match).length, 'player')}`,
  }
  const started: Moment[] =
    match.started_at === null
      ? []
      : [{ key: 'started', at: match.started_at, tone: 'good', title: 'Began: its players could play' }]
  return [made, ...started, ...left, ...endOf(match)].sort((a, b) => b.at.localeCompare(a.at))
}

function endOf({ ended_at, started_at, end_reason, ...exit }: MatchSnapshot): readonly Moment[] {
  if (ended_at === null) return []
  const [tone, what] = end_reason === null ? (['still', 'Ended'] as const) : outcomeOf(end_reason)
  const how = exit.exit_signal ?? (exit.exit_code === null ? undefined : `exit code ${exit.exit_code}`)
  const played =
    started_at === null
      ? 'nobody could play'
      : `after ${span(Math.round((Date.parse(ended_at) - Date.parse(started_at)) / 1_000))} of play`
  return [{ key: 'ended', at: ended_at, tone, title: `${what}${how === undefined ? '' : ` (${how})`}, ${played}` }]
}
