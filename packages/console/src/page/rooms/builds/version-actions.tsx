import type { Build } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject } from '../../data/hooks'
import { ask, Button, counted, say } from '../../ui'
import { isLaunchable, type Named } from './named'
import { PinDialog } from './pin-dialog'
import { launchedBy, pinned, pinOf, queueNames, runningOn } from './versions'

/** Buttons of a version: one button pins queues to the version, and one button disables or enables it. */
export function VersionActions({ build, named }: { readonly build: Build; readonly named: Named }) {
  const holds = isLaunchable(build) && launchedBy(named, build).length < named.queues.length
  return (
    <span class="line version-actions">
      {holds && <Hold build={build} named={named} />}
      {(build.disabled || build.status !== 'failed') && <Disable build={build} named={named} />}
    </span>
  )
}

/** Button that pins queues to a version. The label says "Roll back" when a queue now launches a newer version. */
function Hold({ build, named }: { readonly build: Build; readonly named: Named }) {
  const { version } = build
  const { queues, name } = named
  const opened = useSignal(false)
  const others = queues.filter((queue) => pinOf(queue) !== version)
  const deed = others.some((queue) => (pinOf(queue) ?? named.ready?.version ?? 0) > version) ? 'Roll back to' : 'Pin to'
  return (
    <>
      <Button small onClick={() => (opened.value = true)}>
        {`${deed} v${version}`}
      </Button>
      {opened.value && (
        <PinDialog
          title={`${deed} version ${version}?`}
          confirm={`${deed} version ${version}`}
          queues={others}
          version={version}
          textFor={(chosen) =>
            `The next matches of ${queueNames(chosen)} run version ${version} of ${name}, even after a new upload, until you choose "Use the newest version". Running matches keep their version.`
          }
          done={(count) => `${counted(count, 'queue')} launch${count === 1 ? 'es' : ''} version ${version} of ${name}.`}
          onClose={() => (opened.value = false)}
        />
      )}
    </>
  )
}

/** Button that removes the pins of the queues that use a build name. */
export function NewestAgain({ named }: { readonly named: Named }) {
  const { name, ready } = named
  const opened = useSignal(false)
  const what = ready === undefined ? 'the newest ready version' : `version ${ready.version}`
  return (
    <>
      <Button small onClick={() => (opened.value = true)}>
        Use the newest version
      </Button>
      {opened.value && (
        <PinDialog
          title="Use the newest version in new matches?"
          confirm="Use the newest version"
          queues={pinned(named)}
          version={undefined}
          textFor={(chosen) =>
            `The next matches of ${queueNames(chosen)} run ${what} of ${name}. After a new upload, new matches run the uploaded version.`
          }
          done={(count) =>
            `${counted(count, 'queue')} now launch${count === 1 ? 'es' : ''} the newest version of ${name} again.`
          }
          onClose={() => (opened.value = false)}
        />
      )}
    </>
  )
}

function Disable({ build, named }: { readonly build: Build; readonly named: Named }) {
  const { admin } = useProject()
  const { version, disabled, build_id } = build
  const word = disabled ? 'Enable' : 'Disable'
  const change = async () => {
    const sure = await ask({
      title: `${word} version ${version}?`,
      text: disabled ? 'New servers can run this version again.' : whatFollows(build, named),
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

/** Returns the consequences for the next matches when a version is disabled or drained. */
export function whatFollows(build: Build, named: Named): string {
  const stays = 'No new server runs this version. Running servers continue.'
  const held = named.queues.filter((queue) => pinOf(queue) === build.version)
  if (held.length > 0)
    return `${stays} Pinned to this version: ${queueNames(held)}. Matches of ${held.length === 1 ? 'this queue' : 'these queues'} get no server until you change the pinned version.`
  if (named.ready?.build_id !== build.build_id) return stays
  const next = named.versions.find((one) => one.build_id !== build.build_id && isLaunchable(one))
  if (next !== undefined) return `${stays} The next matches run version ${next.version}.`
  return `${stays} No other version is ready: the next matches get no server.`
}

/** Button that deletes a version; disabled while live servers run the version. */
export function Delete({ build, named }: { readonly build: Build; readonly named: Named }) {
  const { admin } = useProject()
  const { version, name, build_id } = build
  const running = runningOn(named, build)
  const remove = async () => {
    const sure = await ask({
      title: `Delete version ${version}?`,
      text: 'The files of this version are removed. A version that running servers use cannot be deleted.',
      confirm: 'Delete',
      danger: true,
    })
    if (!sure) return
    await admin.builds.delete(build_id)
    say(`Version ${version} of ${name} is deleted.`)
  }
  const label =
    running === 0
      ? `Delete version ${version}`
      : `Version ${version} runs on ${counted(running, 'server')}. Stop ${running === 1 ? 'it' : 'them'} first.`
  return <Button kind="quiet" small icon="trash" label={label} disabled={running > 0} onClick={remove} />
}
