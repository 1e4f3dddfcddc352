import { constants } from 'node:fs'
import { chmod, chown, cp, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Transport } from '@matchyard/core'
import {
  type Clock,
  type LaunchResult,
  type LaunchSpec,
  portVariable,
  transportsOf,
  unsafeOutsideSandbox,
} from '@matchyard/core/ports'
import { type Certificate, certificateFault, NO_CERTIFICATE, wantsTls } from '../kit/certificate'
import {
  CONFIG_FILE,
  CONFIG_PATH,
  executableFault,
  final,
  HEAD_BYTES,
  hasCode,
  launchArguments,
  machineFault,
  makePrivate,
  OK,
  type PortFinder,
  readHead,
  SERVICE_ROOT,
  syncFolderOf,
  type UnpackedBuilds,
} from '../kit/index'
import { AttemptFiles } from './attempt-files'
import type { LaunchPlan, RecordedPort } from './attempt-records'
import { type CgroupSupport, cgroupName, makeCgroups, removeCgroups } from './cgroups'
import { gameEnvironment, type InnerPorts, placeOf } from './game-environment'
import { withEnvironment } from './private-environment'
import { SANDBOX_HOME, type Sandbox, sandboxCommand, sandboxUser } from './sandbox-command'
import { surroundingsOf } from './surroundings'

// Shell script that moves its process into the cgroups and then replaces itself with the game server; it passes on the
// arguments unchanged.
const JOIN_CGROUPS =
  'n=$1; shift; while [ "$n" -gt 0 ]; do echo $$ > "$1/cgroup.procs" || exit 125; shift; n=$((n-1)); done; exec "$@"'

export interface LaunchSettings {
  readonly installationId: string
  readonly bootId: string | null
  readonly clock: Clock
  readonly builds: UnpackedBuilds
  readonly sandbox: Sandbox | undefined
  readonly cgroups: CgroupSupport
  readonly logBytes: number
  /** Certificate of this machine; absent when it has none, so that servers with TLS ports cannot start. */
  readonly certificate?: Certificate | undefined
  readonly innerPorts: Pick<PortFinder, 'propose'>
}

/**
 * Prepares a launch before any process is started: writes the game server's files into a draft folder and moves the
 * folder to `files` in one step. When another service process was faster, its folder is used. Returns the result of the
 * launch when the launch is impossible; undefined when the preparation succeeded.
 */
export async function prepareLaunch(
  files: AttemptFiles,
  draft: string,
  spec: LaunchSpec,
  settings: LaunchSettings,
): Promise<LaunchResult> {
  const { build, environment = {} } = spec
  if (build.type !== 'zip') return final(`builds of type ${build.type} do not run as processes`)
  const unsafe = settings.sandbox === undefined ? unsafeOutsideSandbox(environment) : []
  if (unsafe.length > 0) return final(withoutSandbox(unsafe))
  if (!(await settings.builds.isThere(build.buildId))) return final(`build ${build.buildId} has no archive`)
  const uncertified = await certificateFaultOf(spec, settings)
  if (uncertified !== undefined) return uncertified
  const shared = await settings.builds.ensure(build.buildId, build.executablePath)
  const head = await readHead(join(shared, build.executablePath), HEAD_BYTES)
  const fault = await executableFault(head, build.executablePath, surroundingsOf(spec, settings.sandbox))
  if (fault !== undefined) return final(fault)

  const drafted = new AttemptFiles(draft, spec.instanceId, spec.attempt)
  const config = JSON.stringify(spec.config, undefined, 2)
  const name = cgroupName(settings.installationId, spec.instanceId, spec.attempt)
  // Before the cgroups, because only a record tells which cgroups to remove again, and this may fail for want of ports.
  const inner = await innerPortsOf(spec, settings)
  const cgroups = await makeCgroups(settings.cgroups, name, spec.tierSize)
  await drafted.write('record.json', {
    instanceId: spec.instanceId,
    attempt: spec.attempt,
    buildId: build.buildId,
    bootId: settings.bootId,
    createdAt: settings.clock.now(),
    readiness: spec.readiness,
    tcpPorts: recordedPorts(spec, 'tcp', inner),
    udpPorts: recordedPorts(spec, 'udp', inner),
    cgroups,
    tierSize: spec.tierSize,
  })
  await makePrivate(drafted.path('home'))
  const place = { shared, config, inner, executablePath: build.executablePath }
  const plan =
    settings.sandbox === undefined
      ? await planWithout(drafted, files, spec, settings, place)
      : await planSandboxed(drafted, files, spec, settings, settings.sandbox, place)
  const [command, ...args] = [...joining(cgroups), ...plan.command, ...plan.args]
  const hasEnvironment = Object.keys(environment).length > 0
  const hasFront = await writeFront(drafted, spec, settings, inner)
  const ofLaunch = { command: command as string, args, hasEnvironment, hasFront, cgroups, logBytes: settings.logBytes }
  await drafted.write('plan.json', { ...plan, ...ofLaunch })
  await publish(draft, files.directory)
  return OK
}

const withoutSandbox = (names: readonly string[]): string =>
  `the queue sets ${names.join(', ')}, and this machine has no sandbox: the programs that start the game server would load ` +
  'the same code. Remove these variables from server_settings.environment, or install bubblewrap on the machine'

/** Returns the refusal of a launch whose TLS ports this machine cannot serve; undefined when it can. */
async function certificateFaultOf(
  spec: LaunchSpec,
  { certificate }: LaunchSettings,
): Promise<LaunchResult | undefined> {
  if (!wantsTls(spec)) return undefined
  if (certificate === undefined) return final(NO_CERTIFICATE)
  const fault = await certificateFault(certificate)
  return fault === undefined ? undefined : machineFault(fault)
}

async function innerPortsOf({ networkPorts }: LaunchSpec, { innerPorts }: LaunchSettings): Promise<InnerPorts> {
  const found = await innerPorts.propose(networkPorts.filter(({ tlsEnabled }) => tlsEnabled))
  return new Map(found.map(({ name, externalPort }) => [name, externalPort]))
}

/** Writes the plan of the TLS front. Returns whether the server has one. */
async function writeFront(
  drafted: AttemptFiles,
  { networkPorts }: LaunchSpec,
  { certificate }: LaunchSettings,
  innerPorts: InnerPorts,
): Promise<boolean> {
  const ports = networkPorts.flatMap(({ name, externalPort: port }) => {
    const inner = innerPorts.get(name)
    return inner === undefined ? [] : [{ port, inner }]
  })
  if (ports.length === 0 || certificate === undefined) return false
  await drafted.write('front.json', { ports, certificate })
  return true
}

const recordedPorts = ({ networkPorts }: LaunchSpec, wanted: Transport, innerPorts: InnerPorts): RecordedPort[] =>
  networkPorts
    .filter(({ protocol }) => transportsOf(protocol).includes(wanted))
    .map(({ host, externalPort, name }) => {
      const [inner, variable] = [innerPorts.get(name), portVariable(name)]
      if (inner === undefined) return { host, port: externalPort, variable }
      return { host: '127.0.0.1', port: inner, variable, behindFront: true }
    })

async function publish(draft: string, directory: string): Promise<void> {
  try {
    await syncFolderOf(join(draft, 'plan.json'))
    await unlink(directory).catch(() => {}) // removes a file at the folder's path
    await rename(draft, directory)
    await syncFolderOf(directory)
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  }
}

interface Place {
  readonly shared: string
  readonly config: string
  readonly executablePath: string
  readonly inner: InnerPorts
}

type Way = Pick<LaunchPlan, 'cwd' | 'env' | 'sandboxed' | 'args'> & { readonly command: readonly string[] }

// The files are written into the draft folder, but the game server gets the final paths.
async function planSandboxed(
  drafted: AttemptFiles,
  files: AttemptFiles,
  spec: LaunchSpec,
  { installationId }: LaunchSettings,
  sandbox: Sandbox,
  { shared, config, executablePath, inner }: Place,
): Promise<Way> {
  await writeReadOnly(drafted.path(CONFIG_FILE), config)
  const user = sandboxUser(sandbox)
  const outputs = [drafted.path('stdout'), drafted.path('stderr')]
  for (const path of outputs) await writeFile(path, '', { mode: 0o600 })
  // The output files get the same owner, so that a server may open /dev/stderr.
  if (user !== undefined) for (const path of [drafted.path('home'), ...outputs]) await chown(path, user, user)
  const paths = { program: shared, config: files.path(CONFIG_FILE), home: files.path('home') }
  return {
    command: [...sandboxCommand(sandbox, paths), ...withEnvironment(spec), join(SERVICE_ROOT, executablePath)],
    cwd: '/',
    env: gameEnvironment(spec, { installationId, configFile: CONFIG_PATH, home: SANDBOX_HOME, inner }),
    args: launchArguments(spec, placeOf(spec, { configFile: CONFIG_PATH, inner })),
    sandboxed: true,
  }
}

async function planWithout(
  drafted: AttemptFiles,
  files: AttemptFiles,
  spec: LaunchSpec,
  { installationId }: LaunchSettings,
  { shared, config, executablePath, inner }: Place,
): Promise<Way> {
  await copyBuild(shared, drafted.path('svc'))
  await writeReadOnly(join(drafted.path('svc'), CONFIG_FILE), config)
  const root = files.path('svc')
  const configFile = join(root, CONFIG_FILE)
  const home = files.path('home')
  return {
    command: [join(root, executablePath)],
    cwd: root,
    env: gameEnvironment(spec, { installationId, configFile, home, inner }),
    args: launchArguments(spec, placeOf(spec, { configFile, inner })),
    sandboxed: false,
  }
}

/**
 * Copies the build for one launch, for machines on which the shared folder cannot be mounted read-only. The mount point
 * for the configuration is left out.
 */
async function copyBuild(source: string, target: string): Promise<void> {
  await cp(source, target, { recursive: true, mode: constants.COPYFILE_FICLONE, errorOnExist: true, force: false })
  await rm(join(target, CONFIG_FILE), { force: true })
}

const joining = (cgroups: readonly string[]): string[] =>
  cgroups.length === 0 ? [] : ['/bin/sh', '-c', JOIN_CGROUPS, 'launch', String(cgroups.length), ...cgroups]

async function writeReadOnly(path: string, content: string): Promise<void> {
  await rm(path, { force: true })
  await writeFile(path, content, { flag: 'wx' })
  await chmod(path, 0o444)
}

/**
 * Removes the draft folder that `prepareLaunch` did not move, and the cgroups, unless the launch of another service
 * process uses them.
 */
export async function discardDraft(draft: string, files: AttemptFiles): Promise<void> {
  const drafted = new AttemptFiles(draft, files.instanceId, files.attempt)
  const record = await drafted.read('record.json').catch(() => undefined)
  const published = await files.read('record.json').catch(() => undefined)
  if (published === undefined) await removeCgroups(record?.cgroups ?? [])
  await rm(draft, { recursive: true, force: true })
  await rmdir(dirname(draft)).catch(() => {}) // removes the instance's folder if it is empty
}

/** Removes the files of a launch that never started. */
export async function discardLaunch(files: AttemptFiles): Promise<void> {
  const record = await files.read('record.json').catch(() => undefined)
  await removeCgroups(record?.cgroups ?? [])
  await rm(files.directory, { recursive: true, force: true })
  await rmdir(dirname(files.directory)).catch(() => {}) // removes the instance's folder if it is empty
}

/** Removes the files and the secret of an ended launch. Its logs and its exit are kept. */
export async function releaseLaunch(files: AttemptFiles): Promise<void> {
  for (const name of ['home', 'svc', CONFIG_FILE, 'plan.json', 'front.json']) {
    await rm(files.path(name), { recursive: true, force: true })
  }
}
