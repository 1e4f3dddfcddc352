import { useComputed } from '@preact/signals'
import { isExternal } from '../../data/external'
import { useLive, useProject } from '../../data/hooks'
import { href } from '../../data/route'
import { ask, Button, Card, Id, StatusOf, say, Text } from '../../ui'
import { endMatch } from '../matches/end-match'
import { LogCard } from '../servers/log-card'
import type { Game } from './game'

/** The match that the players are in: its teams, its server, and what that says. */
export function Watch({ game, isTrial }: { readonly game: Game; readonly isTrial: boolean }) {
  const inMatch = useComputed(() =>
    game.testers.value.map(({ lobby }) => lobby.value).find((lobby) => lobby != null && lobby.match_id !== null),
  )
  const matches = useLive('match').things
  const lobby = inMatch.value
  void matches.revision.value
  if (lobby === undefined || lobby.match_id === null) return null
  const match = matches.get(lobby.match_id)
  const server = lobby.server
  return (
    <>
      <Card
        title="The match"
        note={match !== undefined && <StatusOf kind="match" is={match.status} />}
        actions={
          <MatchActions
            lobbyId={lobby.lobby_id}
            instanceId={isTrial && server !== null && !isExternal(server) ? server.instance_id : undefined}
          />
        }
      >
        <div class="watch">
          <div class="stack tight">
            <span class="quiet small">Match</span>
            <Id href={href('matches', lobby.match_id)}>{lobby.match_id}</Id>
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
            {server === null ? (
              <span class="quiet">
                {lobby.status === 'in_game' ? 'none, by the queue’s settings' : 'is being launched …'}
              </span>
            ) : (
              <>
                <StatusOf kind="server" is={server.status} />
                <span class="figures small">
                  {server.network_ports.map(({ name, external_port }) => `${name} ${external_port}`).join(', ')}
                </span>
              </>
            )}
          </div>
        </div>
      </Card>
      {server !== null && !isExternal(server) && <LogCard key={server.instance_id} instanceId={server.instance_id} />}
    </>
  )
}

function MatchActions({ lobbyId, instanceId }: { readonly lobbyId: string; readonly instanceId: string | undefined }) {
  const { admin } = useProject()
  const stop = async () => {
    if (instanceId === undefined) return
    const sure = await ask({
      title: 'Stop the server under them?',
      text: 'The players are told as they would be in your game.',
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
          Stop its server
        </Button>
      )}
      <Button small onClick={() => endMatch(admin, lobbyId)}>
        End match
      </Button>
    </>
  )
}
