import './servers.css'
import type { Server } from '@matchyard/client/admin'
import { useEffect, useRef } from 'preact/hooks'
import { useIsOperator, useOne, useProject } from '../../data/hooks'
import { href } from '../../data/route'
import {
  ask,
  Button,
  Card,
  Clock,
  Code,
  Empty,
  Facts,
  Id,
  number,
  Page,
  StatusOf,
  say,
  Text,
  Time,
  UnreadPage,
} from '../../ui'
import { BuildLink } from './build-link'
import { CrashCard } from './crash-card'
import { causeOf } from './end-reasons'
import { LogCard } from './log-card'
import { RanFor } from './ran-for'

const back = () => ({ href: href('servers'), label: 'Servers' })

/** Page of a server: its state, its ports, its log, and buttons to restart and stop it. */
export function ServerPage({ id, query }: { readonly id: string; readonly query: URLSearchParams }) {
  const { admin } = useProject()
  const { thing: server, read } = useOne('server', id, () => admin.servers.get(id))
  if (server !== undefined) return <Shown server={server} at={query.get('at') ?? undefined} />
  return <UnreadPage id={id} back={back()} read={read} />
}

function Shown({ server, at }: { readonly server: Server; readonly at: string | undefined }) {
  const isRunning = server.status === 'running'
  const isOver = server.status === 'stopped' || server.status === 'failed'
  const log = useRef<HTMLDivElement>(null)
  // A link to a time in the log scrolls to the log.
  useEffect(() => {
    if (at !== undefined) log.current?.scrollIntoView({ block: 'start' })
  }, [at])
  return (
    <Page
      title={<Text>{server.name}</Text>}
      beside={<StatusOf kind="server" is={server.status} />}
      back={back()}
      actions={!isOver && <Actions server={server} canRestart={isRunning} />}
    >
      {server.stop_reason !== null && (
        <div class={server.status === 'failed' ? 'notice bad' : 'notice'}>
          <Text lines={4}>{server.stop_reason}</Text>
          {server.stopped_at !== null && (
            <div>
              <a href={`${href('servers', server.instance_id)}?${new URLSearchParams({ at: server.stopped_at })}`}>
                Log at the end
              </a>
            </div>
          )}
        </div>
      )}
      {server.status_reason === 'waiting_for_room' && (
        <div class="notice">Waiting for capacity: every node runs its maximum number of servers.</div>
      )}
      <div class="columns">
        <About server={server} />
        <Ports server={server} />
      </div>
      {server.last_crash !== null && <CrashCard crash={server.last_crash} />}
      <div ref={log}>
        <LogCard instanceId={server.instance_id} isLinked={false} at={at} />
      </div>
      {Object.keys(server.custom_data).length > 0 && (
        <Code label="Custom data">{JSON.stringify(server.custom_data, null, 2)}</Code>
      )}
    </Page>
  )
}

function Actions({ server, canRestart }: { readonly server: Server; readonly canRestart: boolean }) {
  const { admin } = useProject()
  const restart = async () => {
    const sure = await ask({
      title: 'Restart this server?',
      text: 'The process restarts in place with the same ports. Connected players are disconnected.',
      confirm: 'Restart server',
      danger: true,
    })
    if (!sure) return
    await admin.servers.restart(server.instance_id)
    say('The server is restarting in place.')
  }
  const stop = async () => {
    const sure = await ask({
      title: 'Stop this server?',
      text:
        server.match_id === null
          ? 'The process has ten seconds to exit.'
          : 'The match ends, and its lobbies go back to waiting. The process has ten seconds to exit.',
      confirm: 'Stop server',
      danger: true,
    })
    if (!sure) return
    await admin.servers.stop(server.instance_id)
    say('The server is being stopped.')
  }
  return (
    <>
      <Button icon="again" disabled={!canRestart} onClick={restart}>
        Restart
      </Button>
      <Button kind="danger" icon="stop" disabled={server.status === 'stopping'} onClick={stop}>
        Stop
      </Button>
    </>
  )
}

function About({ server }: { readonly server: Server }) {
  return (
    <Card title="About">
      <Facts
        of={[
          ['Id', <Id key="id">{server.instance_id}</Id>],
          ['Build', <BuildLink key="build" of={server} />],
          [
            'Match',
            server.match_id === null ? (
              'none'
            ) : (
              <Id key="match" href={href('matches', server.match_id)}>
                {server.match_id}
              </Id>
            ),
          ],
          ...(server.end_reason === null ? [] : ([['Cause of the end', causeOf(server.end_reason)[1]]] as const)),
          ['Region', server.region],
          ['Size', server.tier],
          ['Node', <Node key="node" id={server.node_id} />],
          [
            'Run time',
            <span key="ran" class="figures">
              <RanFor server={server} />
            </span>,
          ],
          [
            'Restarts',
            <span key="restarts" class="figures">
              {number(server.restarts)}
            </span>,
          ],
          ['Automatic restart', server.auto_restart ? 'on' : 'off'],
          ['Created', <Time key="made" at={server.created_at} />],
          ...(server.expires_at === null
            ? []
            : ([['Expires at', <Clock key="ends" at={server.expires_at} />]] as const)),
          ...(server.exit_code === null
            ? []
            : ([
                [
                  'Exit code',
                  <span key="code" class="figures">
                    {server.exit_code}
                  </span>,
                ],
              ] as const)),
        ]}
      />
    </Card>
  )
}

/** Node of a server; for operators a link to the machine. */
function Node({ id }: { readonly id: string | null }) {
  const isOperator = useIsOperator()
  if (id === null) return <>none</>
  return <Id {...(isOperator ? { href: href('machines', id) } : {})}>{id}</Id>
}

function Ports({ server }: { readonly server: Server }) {
  return (
    <Card title="Ports">
      {server.network_ports.length === 0 ? (
        <Empty icon="link" title="No ports">
          {server.status === 'launching' ? 'Ports are assigned at launch.' : 'This server has no ports.'}
        </Empty>
      ) : (
        <ul class="ports">
          {server.network_ports.map(({ name, protocol, host, external_port, tls_enabled }) => (
            <li key={name}>
              <Text>{name}</Text>
              <span class="quiet small">
                {protocol}
                {tls_enabled && ', TLS'}
              </span>
              <Id>{`${host}:${external_port}`}</Id>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
