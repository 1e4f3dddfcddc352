import type { PortMapping } from '@matchyard/core'
import { type LaunchSpec, transportsOf } from '@matchyard/core/ports'
import type { ContainerCreateOptions } from 'dockerode'
import { CONFIG_PATH, launchArguments, SERVICE_ROOT } from '../kit/index'
import { gameEnvironment, HOME, placeOf } from './game-environment'
import type { ImageConfig } from './images/image-config'
import { type FrontPort, frontLabel, LABEL, sizeLabel } from './labels'
import { outlasting } from './outlasting'

const GIB = 1024 ** 3
const CPU_PERIOD_US = 100_000
/** Most processes and threads for each CPU of the tier: enough for any runtime, and a limit against fork bombs. */
const PIDS_PER_CPU = 512
/** User and group `nobody`: a ZIP build needs no rights, and every user can read its files. */
const ZIP_USER = '65534:65534'
const SCRATCH = 'rw,nosuid,nodev,noexec,mode=1777,size='

export interface Place {
  readonly installationId: string
  readonly image: ImageConfig
  readonly configFile: string
  /** Folder with the unpacked archive of a ZIP build; undefined for a container image. */
  readonly root: string | undefined
  /** Whether the image has a shell. */
  readonly hasShell: boolean
  readonly network: string
  readonly logBytes: number
  /** Ports of the TLS fronts, by the names of the server's ports. */
  readonly fronts: ReadonlyMap<string, FrontPort>
}

/** The part of a launch that a warm server has too: everything except the configuration and the attempt. */
export type ContainerSpec = Omit<LaunchSpec, 'config' | 'attempt'>

/** The name and the labels of a container, by which the service finds it in the engine. */
export interface Identity {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

/**
 * Returns the request to the engine that creates the container of one game server. The container has no rights that are
 * not listed here.
 */
export function containerRequest(
  spec: ContainerSpec,
  place: Place,
  { name, labels }: Identity,
): ContainerCreateOptions {
  const { projectId, tierSize } = spec
  const memory = Math.floor(tierSize.memoryGib * GIB)
  return {
    name,
    Image: place.image.id,
    ...commandOf(spec, place),
    Env: gameEnvironment(spec, place.image.environment),
    Hostname: 'game-server',
    Labels: {
      [LABEL.installation]: place.installationId,
      [LABEL.project]: projectId,
      [LABEL.readiness]: spec.readiness,
      [LABEL.size]: sizeLabel(tierSize),
      ...(place.fronts.size === 0 ? {} : { [LABEL.fronts]: frontLabel(place.fronts.values()) }),
      ...labels,
    },
    ExposedPorts: Object.fromEntries(spec.networkPorts.flatMap(exposed).map((key) => [key, {}])),
    StopSignal: 'SIGTERM',
    Healthcheck: { Test: ['NONE'] }, // the service checks readiness itself
    HostConfig: {
      Init: true, // reaps orphaned processes of the server, and forwards signals to the server
      RestartPolicy: { Name: '' }, // the core decides about restarts
      NetworkMode: place.network,
      PortBindings: portBindings(spec, place),
      Memory: memory,
      MemorySwap: memory, // the limit of memory plus swap: equal values mean no swap
      // The field NanoCpus is not used: with it, the engine would refuse a tier with more CPUs than this machine has.
      CpuPeriod: CPU_PERIOD_US,
      CpuQuota: Math.round(tierSize.cpus * CPU_PERIOD_US),
      PidsLimit: Math.ceil(tierSize.cpus * PIDS_PER_CPU),
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      Tmpfs: { '/tmp': `${SCRATCH}64m`, [HOME]: `${SCRATCH}64m` },
      Mounts: [
        ...(place.root === undefined ? [] : [readOnly(place.root, SERVICE_ROOT)]),
        readOnly(place.configFile, CONFIG_PATH),
      ],
      // The log has two files of half the size: when the newer file is full, the engine removes the older file.
      LogConfig: { Type: 'json-file', Config: { 'max-file': '2', 'max-size': String(Math.ceil(place.logBytes / 2)) } },
    },
  }
}

/**
 * Returns the command of the container. A ZIP build runs its executable. In an image with an entry point, the arguments
 * of the launch replace the command of the image. In an image without an entry point, the arguments are appended to the
 * image's command.
 */
function commandOf(spec: ContainerSpec, place: Place): Partial<ContainerCreateOptions> {
  const { entrypoint, command, ...more } = programOf(spec, place)
  return { Entrypoint: place.hasShell ? outlasting(entrypoint) : [...entrypoint], Cmd: [...command], ...more }
}

function programOf(spec: ContainerSpec, { image }: Place) {
  const { build } = spec
  const args = launchArguments(spec, placeOf(spec))
  if (build.type === 'zip') {
    const entrypoint = [`${SERVICE_ROOT}/${build.executablePath}`]
    return { entrypoint, command: args, WorkingDir: SERVICE_ROOT, User: ZIP_USER }
  }
  const { entrypoint } = image
  if (args.length === 0) return { entrypoint, command: image.command }
  return { entrypoint, command: entrypoint.length === 0 ? [...image.command, ...args] : args }
}

const exposed = ({ internalPort, protocol }: PortMapping): string[] =>
  transportsOf(protocol).map((transport) => `${internalPort}/${transport}`)

interface Binding {
  readonly HostIp?: string
  readonly HostPort: string
}

function portBindings({ networkPorts }: ContainerSpec, { fronts }: Place): Record<string, Binding[]> {
  const bindings: Record<string, Binding[]> = {}
  for (const port of networkPorts) {
    const front = fronts.get(port.name)
    const binding =
      front === undefined
        ? { HostPort: String(port.externalPort) }
        : // Other machines reach this port only through the front.
          { HostIp: '127.0.0.1', HostPort: String(front.inner) }
    for (const key of exposed(port)) bindings[key] = [...(bindings[key] ?? []), binding]
  }
  return bindings
}

const readOnly = (Source: string, Target: string) => ({ Type: 'bind' as const, Source, Target, ReadOnly: true })
