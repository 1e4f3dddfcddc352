import './builds.css'
import type { Build, Member } from '@matchyard/client/admin'
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
import { Author, useMembers } from './author'
import { BuildLog } from './build-log'
import { DrainStatus, EmptyActions } from './empty-actions'
import { Launched } from './launched'
import { isLaunchable, type Named } from './named'
import { Rate, ShortRate, useEnds } from './rate'
import type { EndCounts } from './rates'
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
  const [ends, members] = [useEnds(), useMembers()]
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
          <About build={shown} of={of} ends={ends} members={members} />
        </div>
      </div>
      <Card title="Versions" flush>
        <Table
          label="Versions"
          rows={rows}
          columns={columnsOf(of, ends, members)}
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

function columnsOf(
  of: Named,
  ends: ReadonlyMap<string, EndCounts> | undefined,
  members: readonly Member[],
): readonly Column<Build>[] {
  return [
    {
      id: 'version',
      title: 'Version',
      width: 'minmax(96px, 1fr)',
      cell: (build) => <VersionCell of={build} named={of} />,
    },
    { id: 'status', title: 'Status', width: '104px', cell: (build) => <VersionStatus of={build} named={of} /> },
    {
      id: 'servers',
      title: 'Servers',
      width: '64px',
      end: true,
      wide: true,
      cell: (build) => number(runningOn(of, build)),
    },
    {
      id: 'rate',
      title: 'Failed in 24 hours',
      width: 'minmax(160px, 1.6fr)',
      wide: true,
      cell: (build) => <ShortRate of={build} ends={ends} />,
    },
    {
      id: 'by',
      title: 'Uploaded by',
      width: 'minmax(72px, 1fr)',
      wide: true,
      cell: (build) => <Author of={build} members={members} />,
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

function VersionStatus({ of, named }: { readonly of: Build; readonly named: Named }) {
  if (of.draining_since !== null) {
    const isEmpty = of.drained_at !== null || runningOn(named, of) === 0
    return isEmpty ? <Status tone="still">Drained</Status> : <Status tone="wait">Draining</Status>
  }
  return of.disabled ? <Status tone="still">Disabled</Status> : <StatusOf kind="build" is={of.status} />
}

function About({
  build,
  of,
  ends,
  members,
}: {
  readonly build: Build
  readonly of: Named
  readonly ends: ReadonlyMap<string, EndCounts> | undefined
  readonly members: readonly Member[]
}) {
  const running = runningOn(of, build)
  return (
    <Card
      title={`Version ${build.version}`}
      note={
        build.draining_since === null ? (
          <VersionStatus of={build} named={of} />
        ) : (
          <DrainStatus build={build} left={running} />
        )
      }
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
            ['Last 24 hours', <Rate key="rate" of={build} ends={ends} />],
            ['Uploaded by', <Author key="by" of={build} members={members} />],
            ['Created', <Time key="made" at={build.created_at} />],
            ['Changed', <Time key="changed" at={build.updated_at} />],
          ]}
        />
        <EmptyActions build={build} named={of} />
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
