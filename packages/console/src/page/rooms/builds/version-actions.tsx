import type { Build, Queue } from '@matchyard/client/admin'
import { useProject } from '../../data/hooks'
import { ask, Button, counted, say } from '../../ui'
import { isLaunchable, type Named } from './named'
import { launchedBy, pinned, pinOf, queueNames } from './versions'

type Queues = ReturnType<typeof useProject>['admin']['queues']

/** Pins a version in each of the queues, or none where it is undefined; all else of them stays. */
async function pinIn(queues: Queues, of: readonly Queue[], version: number | undefined): Promise<void> {
  for (const { queue_id, server_settings } of of) {
    const { version: _, ...rest } = server_settings ?? {}
    const settings = version === undefined ? rest : { ...rest, version }
    await queues.update(queue_id, { server_settings: settings } as Parameters<Queues['update']>[1])
  }
}

/** Controls what is launched: rolls the queues back to a version, or disables it. */
export function VersionActions({ build, named }: { readonly build: Build; readonly named: Named }) {
  const goesBack = isLaunchable(build) && launchedBy(named, build).length < named.queues.length
  return (
    <span class="line version-actions">
      {goesBack && <RollBack build={build} named={named} />}
      {(build.disabled || build.status !== 'failed') && <Disable build={build} named={named} />}
    </span>
  )
}

function RollBack({ build: { version }, named }: { readonly build: Build; readonly named: Named }) {
  const { admin } = useProject()
  const { queues, name } = named
  const others = queues.filter((queue) => pinOf(queue) !== version)
  const back = async () => {
    const sure = await ask({
      title: `Roll back to version ${version}?`,
      text: `The next matches of ${queueNames(others)} run version ${version} of ${name}, whatever is uploaded, until you choose "Newest again". Matches that run keep their version.`,
      confirm: `Roll back to version ${version}`,
    })
    if (!sure) return
    await pinIn(admin.queues, others, version)
    say(`${counted(others.length, 'queue')} launch${others.length === 1 ? 'es' : ''} version ${version} of ${name}.`)
  }
  return (
    <Button small onClick={back}>
      Roll back to this
    </Button>
  )
}

/** Ends the pins of a build's name. */
export function NewestAgain({ named }: { readonly named: Named }) {
  const { admin } = useProject()
  const held = pinned(named)
  const newest = async () => {
    const what = named.ready === undefined ? 'the newest that is ready' : `version ${named.ready.version}`
    const sure = await ask({
      title: 'Launch the newest again?',
      text: `The next matches of ${queueNames(held)} run ${what} of ${named.name}, and later ones what is uploaded then.`,
      confirm: 'Newest again',
    })
    if (!sure) return
    await pinIn(admin.queues, held, undefined)
    say(`${counted(held.length, 'queue')} launch${held.length === 1 ? 'es' : ''} the newest of ${named.name} again.`)
  }
  return (
    <Button small onClick={newest}>
      Newest again
    </Button>
  )
}

function Disable({ build, named }: { readonly build: Build; readonly named: Named }) {
  const { admin } = useProject()
  const { version, disabled, build_id } = build
  const word = disabled ? 'Enable' : 'Disable'
  const change = async () => {
    const sure = await ask({
      title: `${word} version ${version}?`,
      text: disabled ? 'Servers are launched from it again.' : whatFollows(build, named),
      confirm: word,
      danger: !disabled,
    })
    if (!sure) return
    await admin.builds.update(build_id, { disabled: !disabled })
    say(`Version ${version} of ${named.name} is ${disabled ? 'enabled' : 'disabled'}.`)
  }
  return (
    <Button small onClick={change}>
      {word}
    </Button>
  )
}

function whatFollows(build: Build, named: Named): string {
  const stays = 'Nothing new is launched from it, and what runs it goes on.'
  const held = named.queues.filter((queue) => pinOf(queue) === build.version)
  if (held.length > 0)
    return `${stays} ${queueNames(held)} pinned it: their matches get no server until that is changed.`
  if (named.ready?.build_id !== build.build_id) return stays
  const next = named.versions.find((one) => one.build_id !== build.build_id && isLaunchable(one))
  if (next !== undefined) return `${stays} The next matches run version ${next.version}.`
  return `${stays} No other version is ready: the next matches get no server.`
}

export function Delete({ build }: { readonly build: Build }) {
  const { admin } = useProject()
  const { version, name, build_id } = build
  const remove = async () => {
    const sure = await ask({
      title: `Delete version ${version}?`,
      text: 'Its files are removed. Servers that run it keep it from being deleted.',
      confirm: 'Delete',
      danger: true,
    })
    if (!sure) return
    await admin.builds.delete(build_id)
    say(`Version ${version} of ${name} is deleted.`)
  }
  return <Button kind="quiet" small icon="trash" label={`Delete version ${version}`} onClick={remove} />
}
