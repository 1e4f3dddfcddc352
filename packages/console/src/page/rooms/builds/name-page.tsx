import './builds.css'
import type { Build, Server } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { href } from '../../data/route'
import {
  Button,
  Card,
  type Column,
  counted,
  Empty,
  Facts,
  LiveView,
  number,
  Page,
  Status,
  StatusOf,
  Table,
  Text,
  Time,
  useRows,
} from '../../ui'
import { BuildHistory } from '../../ui/build-history'
import { DropZone, ImageDialog } from './add-build'
import { BuildLog } from './build-log'
import { Launched } from './launched'
import { isLaunchable, type Named } from './named'
import { UnderWay } from './under-way'
import { useNamed } from './use-named'
import { Delete, NewestAgain, VersionActions } from './version-actions'
import { faultOf, launchedBy, pinned, pinOf, queueNames, runningOn } from './versions'

const back = () => ({ href: href('builds'), label: 'Builds' })

/** Page of one build name: its versions, the queues and servers that use it, and the processing log of one version. */
export function NamePage({ name, chosen }: { readonly name: string; readonly chosen: string | undefined }) {
  const { live, named } = useNamed()
  const found = named.find((one) => one.name === name)
  const registers = useSignal(false)
  return (
    <Page
      title={<Text>{name}</Text>}
      back={back()}
      beside={found !== undefined && <StatusOf kind="build" is={found.versions[0].status} />}
      actions={<Button onClick={() => (registers.value = true)}>Register an image</Button>}
    >
      <DropZone named={named} name={name} />
      <UnderWay />
      <LiveView of={live} empty={<None />}>
        {() => (found === undefined ? <None /> : <Versions of={found} chosen={chosen} />)}
      </LiveView>
      {registers.value && <ImageDialog name={name} onClose={() => (registers.value = false)} />}
    </Page>
  )
}

function None() {
  return (
    <Empty icon="builds" title="No build with this name">
      Drop an archive above to upload version 1.
    </Empty>
  )
}

function Versions({ of, chosen }: { readonly of: Named; readonly chosen: string | undefined }) {
  const rows = useRows(of.versions)
  const shown = of.versions.find(({ build_id }) => build_id === chosen) ?? of.versions[0]
  const about = useRef<HTMLDivElement>(null)
  // On a narrow page, the card of the chosen version may be out of sight above the table, so the page scrolls to the
  // card.
  useEffect(() => {
    if (chosen !== undefined) about.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <>
      {of.ready === undefined && of.queues.length > 0 && (
        <div class="notice bad">
          {counted(of.queues.length, 'queue')} of this project {of.queues.length === 1 ? 'uses' : 'use'} this build, but
          none of its versions can be launched: their matches get no server.
        </div>
      )}
      {pinned(of).length > 0 && <Pinned of={of} />}
      <div class="columns">
        <Card title="Used by">
          <Facts
            of={[
              ['Current version', <Launched key="launched" of={of} />],
              ['Queues', <Queues key="queues" of={of} />],
              [
                'Live servers',
                <a key="servers" class="figures" href={`${href('servers')}?find=${encodeURIComponent(of.name)}`}>
                  {counted(of.servers.length, 'server')}
                </a>,
              ],
            ]}
          />
        </Card>
        <div class="version-about" ref={about}>
          <About build={shown} of={of} />
        </div>
      </div>
      <Card title="Versions" flush>
        <Table
          label="Versions"
          rows={rows}
          columns={columnsOf(of)}
          keyOf={({ build_id }) => build_id}
          hrefOf={({ build_id }) => href('builds', of.name, build_id)}
          height="rows"
        />
      </Card>
      <BuildHistory name={of.name} />
      <BuildLog build={shown} />
    </>
  )
}

/** Lists the queues that are pinned to a version of the build, with a button that removes the pins. */
function Pinned({ of }: { readonly of: Named }) {
  const held = pinned(of)
  const versions = [...new Set(held.map(pinOf))].map((version) => `version ${version}`)
  const lost = held.filter((queue) => faultOf(of, pinOf(queue)) !== undefined)
  const faults = [...new Set(lost.map((queue) => faultOf(of, pinOf(queue))))]
  return (
    <div class={lost.length === 0 ? 'notice line' : 'notice bad line'} role={lost.length === 0 ? undefined : 'alert'}>
      <span>
        {queueNames(held)} {held.length === 1 ? 'is' : 'are'} pinned to {versions.join(', ')}: a new upload does not
        change the version.
        {lost.length > 0 && ` Matches of ${queueNames(lost)} get no server: ${faults.join(', ')}.`}
      </span>
      <NewestAgain named={of} />
    </div>
  )
}

function Queues({ of: { queues } }: { readonly of: Named }) {
  if (queues.length === 0) return <>no queue</>
  return (
    <span class="line">
      {queues.slice(0, 20).map(({ queue_id, name }) => (
        <a key={queue_id} href={href('queues', queue_id)}>
          <Text>{name}</Text>
        </a>
      ))}
      {queues.length > 20 && <span class="quiet">and {queues.length - 20} more</span>}
    </span>
  )
}

function columnsOf(of: Named): readonly Column<Build>[] {
  return [
    {
      id: 'version',
      title: 'Version',
      width: 'minmax(112px, 1fr)',
      cell: (build) => <VersionCell of={build} named={of} />,
    },
    { id: 'status', title: 'Status', width: '104px', cell: (build) => <VersionStatus of={build} /> },
    {
      id: 'what',
      title: 'Program or image',
      width: 'minmax(120px, 2fr)',
      wide: true,
      cell: ({ executable_path, image_url }) => <Text>{executable_path ?? image_url ?? ''}</Text>,
    },
    {
      id: 'servers',
      title: 'Servers',
      width: '64px',
      end: true,
      wide: true,
      cell: (build) => number(runningOn(of, build)),
    },
    {
      id: 'failed',
      title: 'Failures',
      width: '64px',
      end: true,
      wide: true,
      cell: (build) => <Failures of={build} among={of.failed} />,
    },
    {
      id: 'made',
      title: 'Created',
      width: '80px',
      end: true,
      wide: true,
      cell: ({ created_at }) => <Time at={created_at} />,
    },
    {
      id: 'actions',
      title: '',
      width: '190px',
      end: true,
      wide: true,
      cell: (build) => <VersionActions build={build} named={of} />,
    },
    { id: 'delete', title: '', width: '32px', end: true, cell: (build) => <Delete build={build} named={of} /> },
  ]
}

/** Cell with a version, and a label if new matches launch this version. */
function VersionCell({ of, named }: { readonly of: Build; readonly named: Named }) {
  const isLaunched = launchedBy(named, of).length > 0 && isLaunchable(of)
  return (
    <span class="version">
      <span class="figures">v{of.version}</span>
      {isLaunched && <Status tone="info">Current</Status>}
    </span>
  )
}

/** Number of a version's failed servers, with a link to their causes. */
function Failures({ of, among }: { readonly of: Build; readonly among: readonly Server[] }) {
  const count = among.filter(({ build_id }) => build_id === of.build_id).length
  if (count === 0) return <span class="quiet">0</span>
  const find = encodeURIComponent(`${of.name} v${of.version}`)
  return <a href={`${href('servers')}?show=failures&find=${find}`}>{number(count)}</a>
}

const VersionStatus = ({ of: { status, disabled } }: { readonly of: Build }) =>
  disabled ? <Status tone="still">Disabled</Status> : <StatusOf kind="build" is={status} />

function About({ build, of }: { readonly build: Build; readonly of: Named }) {
  const running = runningOn(of, build)
  return (
    <Card
      title={`Version ${build.version}`}
      note={<VersionStatus of={build} />}
      actions={<VersionActions build={build} named={of} />}
    >
      <div class="stack">
        {build.error_message !== null && (
          <div class="notice bad">
            <Text lines={4}>{build.error_message}</Text>
          </div>
        )}
        <Facts
          of={[
            build.build_type === 'zip'
              ? ['Program', <Text key="path">{build.executable_path ?? ''}</Text>]
              : ['Image', <Text key="image">{build.image_url ?? ''}</Text>],
            ['Created', <Time key="made" at={build.created_at} />],
            ['Changed', <Time key="changed" at={build.updated_at} />],
          ]}
        />
        {running > 0 && (
          <p class="hint">
            <a href={`${href('servers')}?find=${encodeURIComponent(`${of.name} v${build.version}`)}`}>
              {counted(running, 'server')}
            </a>{' '}
            {running === 1 ? 'runs' : 'run'} this version. It can be deleted when{' '}
            {running === 1 ? 'this server has' : 'these servers have'} stopped.
          </p>
        )}
      </div>
    </Card>
  )
}
