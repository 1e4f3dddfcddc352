import { chmod, chown, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BuildStore, Clock, LaunchResult, LaunchSpec } from '@matchyard/core'
import { parseArgsStringToArgv } from 'string-argv'
import { type AttemptFiles, type LaunchPlan, makePrivate } from './attempt-files'
import { type CgroupSupport, cgroupName, makeCgroups, removeCgroups } from './cgroups'
import { executableFault } from './executable-check'
import { gameEnvironment } from './game-environment'
import {
  SANDBOX_CONFIG,
  SANDBOX_HOME,
  SANDBOX_ROOT,
  type Sandbox,
  sandboxCommand,
  sandboxUser,
  seesInSandbox,
} from './sandbox-command'
import type { UnpackedBuilds } from './unpacked-builds'

// Joins the cgroups, then becomes the game server; the arguments are passed on as they are, never parsed.
const JOIN_CGROUPS =
  'n=$1; shift; while [ "$n" -gt 0 ]; do echo $$ > "$1/cgroup.procs" || exit 125; shift; n=$((n-1)); done; exec "$@"'

export interface LaunchSettings {
  readonly installationId: string
  readonly bootId: string | null
  readonly clock: Clock
  readonly buildStore: BuildStore
  readonly builds: UnpackedBuilds
  readonly sandbox: Sandbox | undefined
  readonly cgroups: CgroupSupport
  readonly logBytes: number
}

const final = (message: string): LaunchResult => ({ ok: false, reason: 'final', message })

/** Everything before the spawn: what the game server will find, written down. The answer is what stands against it. */
export async function prepareLaunch(
  files: AttemptFiles,
  spec: LaunchSpec,
  settings: LaunchSettings,
): Promise<LaunchResult> {
  const { build } = spec
  if (build.type !== 'zip') return final(`builds of type ${build.type} do not run as processes`)
  if (!(await settings.buildStore.has(build.buildId))) return final(`build ${build.buildId} has no archive`)
  const shared = await settings.builds.ensure(build.buildId, build.executablePath)
  const fault = await executableFault(join(shared, build.executablePath), build.executablePath, {
    path: gameEnvironment(spec, { installationId: '', configFile: '', home: '' }).PATH ?? '',
    sees: (file) => settings.sandbox === undefined || seesInSandbox(settings.sandbox, file),
  })
  if (fault !== undefined) return final(fault)

  await makePrivate(files.directory)
  const config = JSON.stringify(spec.config, undefined, 2)
  const name = cgroupName(settings.installationId, spec.instanceId, spec.attempt)
  const cgroups = await makeCgroups(settings.cgroups, name, spec.tierSize)
  await files.write('record.json', {
    instanceId: spec.instanceId,
    attempt: spec.attempt,
    buildId: build.buildId,
    bootId: settings.bootId,
    createdAt: settings.clock.now(),
    tcpPorts: spec.networkPorts
      .filter(({ protocol }) => protocol === 'tcp')
      .map(({ host, externalPort }) => ({ host, port: externalPort })),
    cgroups,
  })
  const home = files.path('home')
  await makePrivate(home)
  const place = { shared, home, config, executablePath: build.executablePath }
  const plan =
    settings.sandbox === undefined
      ? await planWithout(files, spec, settings, place)
      : await planSandboxed(files, spec, settings, settings.sandbox, place)
  const [command, ...args] = [...joining(cgroups), ...plan.command, ...parseArgsStringToArgv(spec.startupArgs)]
  await files.write('plan.json', { ...plan, command: command as string, args, cgroups, logBytes: settings.logBytes })
  return { ok: true }
}

interface Place {
  readonly shared: string
  readonly home: string
  readonly config: string
  readonly executablePath: string
}

type Way = Pick<LaunchPlan, 'cwd' | 'env' | 'sandboxed'> & { readonly command: readonly string[] }

async function planSandboxed(
  files: AttemptFiles,
  spec: LaunchSpec,
  { installationId }: LaunchSettings,
  sandbox: Sandbox,
  { shared, home, config, executablePath }: Place,
): Promise<Way> {
  const configFile = files.path('its_svc.json')
  await writeReadOnly(configFile, config)
  const user = sandboxUser(sandbox)
  for (const name of ['stdout', 'stderr']) await writeFile(files.path(name), '', { mode: 0o600, flag: 'a' })
  // The output files too, so that a server may open /dev/stderr.
  if (user !== undefined)
    for (const path of [home, files.path('stdout'), files.path('stderr')]) await chown(path, user, user)
  return {
    command: [
      ...sandboxCommand(sandbox, { program: shared, config: configFile, home }),
      join(SANDBOX_ROOT, executablePath),
    ],
    cwd: '/',
    env: gameEnvironment(spec, { installationId, configFile: SANDBOX_CONFIG, home: SANDBOX_HOME }),
    sandboxed: true,
  }
}

async function planWithout(
  files: AttemptFiles,
  spec: LaunchSpec,
  { installationId, builds }: LaunchSettings,
  { shared, home, config, executablePath }: Place,
): Promise<Way> {
  const root = files.path('svc')
  await rm(root, { recursive: true, force: true }) // of a launch that was cut off here
  await builds.copy(shared, root)
  const configFile = join(root, 'its_svc.json')
  await rm(configFile, { force: true })
  await writeReadOnly(configFile, config)
  return {
    command: [join(root, executablePath)],
    cwd: root,
    env: gameEnvironment(spec, { installationId, configFile, home }),
    sandboxed: false,
  }
}

const joining = (cgroups: readonly string[]): string[] =>
  cgroups.length === 0 ? [] : ['/bin/sh', '-c', JOIN_CGROUPS, 'launch', String(cgroups.length), ...cgroups]

async function writeReadOnly(path: string, content: string): Promise<void> {
  await rm(path, { force: true })
  await writeFile(path, content, { flag: 'wx' })
  await chmod(path, 0o444)
}

/** Undoes `prepareLaunch` for a launch that never was. */
export async function discardLaunch(files: AttemptFiles): Promise<void> {
  const record = await files.read('record.json').catch(() => undefined)
  await removeCgroups(record?.cgroups ?? [])
  await rm(files.directory, { recursive: true, force: true })
  await rmdir(dirname(files.directory)).catch(() => {}) // of the instance, when this was its only attempt
}

/** What an ended launch need not keep: its files and its secret; not its logs nor how it ended. */
export async function releaseLaunch(files: AttemptFiles): Promise<void> {
  for (const name of ['home', 'svc', 'its_svc.json', 'plan.json']) {
    await rm(files.path(name), { recursive: true, force: true })
  }
}
