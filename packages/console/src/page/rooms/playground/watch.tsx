import type { MatchSnapshot } from '@matchyard/client'
import { useLive, useProject } from '../../data/hooks'
import { href } from '../../data/route'
import { ask, Button, Card, Id, StatusOf, say, Text } from '../../ui'
import { endMatch } from '../matches/end-match'
import { Outcome } from '../matches/parts'
import { LogCard } from '../servers/log-card'
import type { Game } from './game'

/** Shows the match that the test players are in, or were in last: its teams, its server and the server's log. */
export function Watch({ game, isTrial }: { readonly game: Game; readonly isTrial: boolean }) {
  const [matches, servers] = [useLive('match').things, useLive('server').things]
  const id = game.lastMatch.value
  void matches.revision.value
  void servers.revision.value
  if (id === undefined) return null
  const match = matches.get(id)
  const lobby = game.testers.value.map((tester) => tester.lobby.value).find((one) => one?.match_id === id)
  // After a failed launch the match names no server. The record of the server still exists and has a log, so it is
  // found by the match's id.
  const server = servers.all().find(({ match_id }) => match_id === id)
  return (
    <>
      <Card
        title={lobby === undefined ? 'The last match' : 'The match'}
        note={match !== undefined && <Outcome match={match} />}
        actions={
          lobby !== undefined && (
            <MatchActions lobbyId={lobby.lobby_id} instanceId={isTrial ? server?.instance_id : undefined} />
          )
        }
      >
        <div class="stack">
          <div class="watch">
            <div class="stack tight">
              <span class="quiet small">Match</span>
              <Id href={href('matches', id)}>{id}</Id>
            </div>
            {match?.teams.slice(0, 8).map(({ name, players }) => (
              <div key={name} class="stack tight">
                <span class="quiet small">
                  <Text>{name}</Text>
                </span>
                <Text lines={3}>{players.map(({ player_id }) => player_id).join(', ')}</Text>
              </div>
            ))}
            <div class="stack tight">
              <span class="quiet small">Server</span>
              {server === undefined ? (
                <span class="quiet">{match?.status === 'launching' ? 'launching …' : serverWordsOf(match)}</span>
              ) : (
                <>
                  <StatusOf kind="server" is={server.status} />
                  <Id href={href('servers', server.instance_id)} short>
                    {server.instance_id}
                  </Id>
                  <span class="figures small">
                    {server.network_ports.map(({ name, external_port }) => `${name} ${external_port}`).join(', ')}
                  </span>
                </>
              )}
            </div>
          </div>
          {server?.status === 'failed' && server.stop_reason !== null && (
            <div class="notice bad">
              <Text lines={4}>{server.stop_reason}</Text>
            </div>
          )}
        </div>
      </Card>
      {server !== undefined && <LogCard key={server.instance_id} instanceId={server.instance_id} />}
    </>
  )
}

/** Returns the text that is shown for a match without a server of the service. */
const serverWordsOf = (match: MatchSnapshot | undefined): string =>
  match?.server != null ? 'your own server' : 'no server (queue settings)'

function MatchActions({ lobbyId, instanceId }: { readonly lobbyId: string; readonly instanceId: string | undefined }) {
  const { admin } = useProject()
  const stop = async () => {
    if (instanceId === undefined) return
    const sure = await ask({
      title: 'Stop the server of this match?',
      text: 'The players receive the same events as in your game.',
      confirm: 'Stop server',
      danger: true,
    })
    if (!sure) return
    await admin.servers.stop(instanceId)
    say('The server is being stopped.')
  }
  return (
    <>
      {instanceId !== undefined && (
        <Button small kind="danger" icon="bolt" onClick={stop}>
          Stop the server
        </Button>
      )}
      <Button small onClick={() => endMatch(admin, lobbyId)}>
        End match
      </Button>
    </>
  )
}
