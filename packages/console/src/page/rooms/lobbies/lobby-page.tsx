import './lobbies.css'
import type { LobbySnapshot } from '@matchyard/client'
import { useMemo } from 'preact/hooks'
import { isExternal } from '../../data/external'
import { useProject } from '../../data/hooks'
import { go, href } from '../../data/route'
import {
  ask,
  Button,
  Card,
  Code,
  counted,
  Empty,
  Facts,
  Failed,
  Id,
  Loading,
  type Moment,
  outcomeOf,
  Page,
  Status,
  StatusOf,
  say,
  Text,
  Time,
  Timeline,
} from '../../ui'
import { endMatch } from '../matches/end-match'
import { LogCard } from '../servers/log-card'
import { Banned } from './banned'
import { beginningOf, type Change, changesOf } from './changes'
import { CancelSearch, RemovePlayer } from './remove-player'
import { type History, useHistory } from './versions'
import { WhyWaiting } from './why-waiting'

const back = () => ({ href: href('lobbies'), label: 'Lobbies' })

/** Page of a lobby: its present state, the reasons why it waits, and its history. */
export function LobbyPage({ id }: { readonly id: string }) {
  const { now, heardAt } = useHistory(id)
  const { value } = now
  const lobby = value.is === 'ready' ? value.versions.at(-1) : undefined
  if (value.is !== 'ready' || lobby === undefined) {
    return (
      <Page title={<Id>{id}</Id>} back={back()} heardAt={heardAt}>
        {value.is === 'failed' ? <Failed error={value.error} /> : <Loading />}
      </Page>
    )
  }
  return (
    <Page
      title={lobby.name === undefined ? 'Lobby' : <Text>{lobby.name}</Text>}
      beside={value.isDeleted ? <Status tone="still">Deleted</Status> : <StatusOf kind="lobby" is={lobby.status} />}
      back={back()}
      heardAt={heardAt}
      actions={!value.isDeleted && <Actions lobby={lobby} />}
    >
      <div class="two">
        <div class="stack">
          {lobby.status === 'in_queue' && !value.isDeleted && <WhyWaiting lobbyId={id} />}
          <About lobby={lobby} />
          <Members lobby={lobby} isDeleted={value.isDeleted} />
          {!value.isDeleted && <Banned lobby={lobby} />}
          {Object.keys(lobby.settings).length > 0 && (
            <Code label="Settings">{JSON.stringify(lobby.settings, null, 2)}</Code>
          )}
        </div>
        <What history={value} />
      </div>
      {lobby.server !== null && !isExternal(lobby.server) && <LogCard instanceId={lobby.server.instance_id} />}
    </Page>
  )
}

function Actions({ lobby }: { readonly lobby: LobbySnapshot }) {
  const { admin } = useProject()
  const remove = async () => {
    const sure = await ask({
      title: 'Delete this lobby?',
      text: `${counted(lobby.current_players, 'player')} will be notified. If no other lobby plays in its match, the match ends.`,
      confirm: 'Delete lobby',
      danger: true,
    })
    if (!sure) return
    await admin.lobbies.delete(lobby.lobby_id)
    say('The lobby is deleted.')
    go('lobbies')
  }
  return (
    <>
      <CancelSearch lobby={lobby} />
      {lobby.match_id !== null && <Button onClick={() => endMatch(admin, lobby.lobby_id)}>End match</Button>}
      <Button kind="danger" icon="trash" onClick={remove}>
        Delete
      </Button>
    </>
  )
}

function About({ lobby }: { readonly lobby: LobbySnapshot }) {
  return (
    <Card title="About">
      <Facts
        of={[
          ['Id', <Id key="id">{lobby.lobby_id}</Id>],
          [
            'Queue',
            <a key="queue" href={href('queues', lobby.queue_id)}>
              <Text>{lobby.queue_id}</Text>
            </a>,
          ],
          ['Invite code', lobby.invite_code === null ? 'none' : <Id key="code">{lobby.invite_code}</Id>],
          ['Access', lobby.is_private ? 'Invite code only' : 'Public'],
          ...(lobby.match_id === null
            ? []
            : ([
                [
                  'Match',
                  <Id key="match" href={href('matches', lobby.match_id)}>
                    {lobby.match_id}
                  </Id>,
                ],
              ] as const)),
          ...(lobby.server === null
            ? []
            : ([
                [
                  'Server',
                  <Id
                    key="server"
                    {...(isExternal(lobby.server) ? {} : { href: href('servers', lobby.server.instance_id) })}
                  >
                    {lobby.server.instance_id}
                  </Id>,
                ],
              ] as const)),
          ...(lobby.last_exit === null
            ? []
            : ([
                [
                  'Last return to waiting',
                  <Text
                    key="exit"
                    lines={3}
                  >{`${outcomeOf(lobby.last_exit.reason)[1]}: ${lobby.last_exit.detail}`}</Text>,
                ],
              ] as const)),
          ['Created', <Time key="made" at={lobby.created_at} />],
          [
            'Version',
            <span key="version" class="figures">
              {lobby.version}
            </span>,
          ],
        ]}
      />
    </Card>
  )
}

function Members({ lobby, isDeleted }: { readonly lobby: LobbySnapshot; readonly isDeleted: boolean }) {
  return (
    <Card title="Players" note={`${lobby.current_players} of ${lobby.max_players}`} flush>
      <ul class="members">
        {lobby.players.map(({ player_id, is_host, joined_at, state }) => (
          <li key={player_id}>
            <Id href={href('players', player_id)}>{player_id}</Id>
            <span class="quiet small">
              {is_host && 'host, '}joined <Time at={joined_at} />
            </span>
            {!isDeleted && <RemovePlayer lobby={lobby} playerId={player_id} />}
            {Object.keys(state).length > 0 && (
              <span class="state-of mono">
                <Text lines={3}>{JSON.stringify(state)}</Text>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function What({ history: { versions, isDeleted } }: { readonly history: Extract<History, { is: 'ready' }> }) {
  const moments = useMemo(() => momentsOf(versions, isDeleted), [versions, isDeleted])
  return (
    <Card title="History" note={counted(versions.at(-1)?.version ?? 0, 'version')}>
      {moments.length === 0 ? (
        <Empty icon="now" title="No changes yet" />
      ) : (
        <Timeline label="History of the lobby, newest first" moments={moments} />
      )}
    </Card>
  )
}

function momentsOf(versions: readonly LobbySnapshot[], isDeleted: boolean): readonly Moment[] {
  const [first] = versions
  const last = versions.at(-1)
  if (first === undefined || last === undefined) return []
  const all = [
    momentOf('made', first.created_at, beginningOf(first)),
    ...versions.flatMap((lobby, index) =>
      changesOf(versions[index - 1], lobby).map((change, place) =>
        momentOf(`${lobby.version} ${place}`, lobby.updated_at, change),
      ),
    ),
  ]
  if (isDeleted) all.push({ key: 'deleted', at: last.updated_at, tone: 'still', title: 'Deleted' })
  return all.reverse()
}

const PLACES = { player: 'players', server: 'servers' } as const

const momentOf = (key: string, at: string, { tone, text, of, is, detail }: Change): Moment => ({
  key,
  at,
  tone,
  title: (
    <>
      {text}{' '}
      {of !== undefined &&
        (is === undefined ? (
          <Text>{of}</Text>
        ) : (
          <a href={href(PLACES[is], of)}>
            <Text>{of}</Text>
          </a>
        ))}
    </>
  ),
  ...(detail === undefined ? {} : { detail: <Text lines={2}>{detail}</Text> }),
})
