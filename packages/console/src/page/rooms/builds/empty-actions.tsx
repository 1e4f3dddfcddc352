import type { Build, Server } from '@matchyard/client/admin'
import { useProject } from '../../data/hooks'
import { ask, Button, counted, Status, say } from '../../ui'
import type { Named } from './named'
import { whatFollows } from './version-actions'
import { serversOn } from './versions'

/** Buttons that drain a version, and that stop all its servers. */
export function EmptyActions({ build, named }: { readonly build: Build; readonly named: Named }) {
  const servers = serversOn(named, build)
  if (build.status !== 'ready') return null
  return (
    <span class="line">
      {build.draining_since === null && <Drain build={build} named={named} servers={servers} />}
      {servers.length > 0 && <Stop build={build} servers={servers} />}
    </span>
  )
}

const withMatch = (servers: readonly Server[]) => servers.filter(({ match_id }) => match_id !== null)

interface Emptied {
  readonly build: Build
  readonly servers: readonly Server[]
}

function Drain({ build, named, servers }: Emptied & { readonly named: Named }) {
  const { admin } = useProject()
  const { version, build_id } = build
  const drain = async () => {
    const play = withMatch(servers).length
    const idle = servers.length - play
    const sure = await ask({
      title: `Drain version ${version}?`,
      text: `${counted(idle, 'server')} without a match ${idle === 1 ? 'stops' : 'stop'}. ${counted(play, 'match', 'matches')} ${play === 1 ? 'plays to its end and takes' : 'play to their end and take'} no more players. ${whatFollows(build, named)}`,
      confirm: 'Drain',
      danger: true,
    })
    if (!sure) return
    await admin.builds.update(build_id, { drain: true })
    say(`Version ${version} of ${named.name} is being drained.`)
  }
  return (
    <Button small onClick={drain}>
      Drain
    </Button>
  )
}

function Stop({ build: { version, name, build_id }, servers }: Emptied) {
  const { admin } = useProject()
  const stop = async () => {
    const play = withMatch(servers).length
    const sure = await ask({
      title: `Stop all servers of version ${version}?`,
      text: `${counted(servers.length, 'server')} ${servers.length === 1 ? 'stops' : 'stop'} now, and ${counted(play, 'match', 'matches')} ${play === 1 ? 'ends' : 'end'}: the players go back to their lobbies. New matches may launch this version again until you disable it.`,
      confirm: `Stop ${counted(servers.length, 'server')}`,
      danger: true,
    })
    if (!sure) return
    const { servers: asked } = await admin.builds.stop(build_id)
    say(`${counted(asked, 'server')} of ${name} v${version} ${asked === 1 ? 'is' : 'are'} being stopped.`)
  }
  return (
    <Button small kind="danger" icon="stop" onClick={stop}>
      Stop all servers
    </Button>
  )
}

/** Progress of a drain: the number of servers that are left. */
export function DrainStatus({ build, left }: { readonly build: Build; readonly left: number }) {
  if (build.drained_at !== null || left === 0) return <Status tone="still">Drained</Status>
  return <Status tone="wait">{`Draining, ${counted(left, 'server')} left`}</Status>
}
