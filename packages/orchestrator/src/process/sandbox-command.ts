import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { CONFIG_PATH, SERVICE_ROOT } from '../kit/index'
import { nodeFolder } from './game-environment'

const NOBODY = 65534
export const SANDBOX_HOME = '/home/server'

/** Folders of the machine that a game server may read. Everything else (data, keys, homes) does not exist for it. */
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store']
/**
 * Of /etc: how to find libraries, names, certificates and the time; no settings of services, no passwords. Mono finds its own libraries by the
 * former of its two files, and reads the latter before it opens a connection.
 */
const SYSTEM_SETTINGS = 'alternatives ca-certificates crypto-policies fonts group gai.conf host.conf hosts ld.so.cache '
  .concat('ld.so.conf ld.so.conf.d localtime mono/config mono/4.5/machine.config nsswitch.conf passwd pki protocols ')
  .concat('resolv.conf services ssl timezone')
  .split(' ')
  .map((name) => `/etc/${name}`)

export interface Sandbox {
  readonly bwrap: string
  /** Run as root, the service gives the game server another user; undefined: it keeps the service's own. */
  readonly setpriv: string | undefined
  /** Further folders of the machine that a game server may read. */
  readonly readOnlyPaths: readonly string[]
  /** Never visible, even inside a folder that is. */
  readonly hiddenPaths: readonly string[]
}

export interface SandboxPaths {
  readonly program: string
  readonly config: string
  readonly home: string
}

/** The user id that owns what the game server may write; undefined: the service's own. */
export const sandboxUser = ({ setpriv }: Sandbox): number | undefined => (setpriv === undefined ? undefined : NOBODY)

/** The command line up to and without the program. It tells bubblewrap's reports to file descriptor 3. */
export function sandboxCommand(sandbox: Sandbox, { program, config, home }: SandboxPaths): string[] {
  const folders = visibleFolders(sandbox)
  const hidden = sandbox.hiddenPaths.filter((path) => folders.some((folder) => isWithin(path, folder)))
  return [
    ...[sandbox.bwrap, '--new-session', '--json-status-fd', '3'],
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...privileges(sandbox),
    // First, so that a folder of the machine below it is not covered.
    ...['--tmpfs', '/tmp', '--chmod', '1777', '/tmp', '--dir', '/var', '--symlink', '../tmp', '/var/tmp'],
    ...parents([...folders, ...SYSTEM_SETTINGS, SANDBOX_HOME]),
    ...folders.flatMap(mountFolder),
    ...SYSTEM_SETTINGS.flatMap((file) => ['--ro-bind-try', file, file]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...hidden.flatMap((path) => ['--tmpfs', path]),
    ...['--ro-bind', program, SERVICE_ROOT, '--ro-bind', config, CONFIG_PATH],
    ...['--bind', home, SANDBOX_HOME, '--chdir', SERVICE_ROOT],
    '--',
    ...dropToNobody(sandbox),
  ]
}

/** Whether a file of the machine is there inside. */
export const seesInSandbox = (sandbox: Sandbox, file: string): boolean =>
  visibleFolders(sandbox).some((folder) => isWithin(file, folder)) &&
  !sandbox.hiddenPaths.some((path) => isWithin(file, path))

function visibleFolders({ readOnlyPaths }: Sandbox): string[] {
  const more = [nodeFolder(), ...readOnlyPaths].filter(
    (path) => !SYSTEM_FOLDERS.some((folder) => isWithin(path, folder)),
  )
  return [...SYSTEM_FOLDERS, ...more].filter(existsSync)
}

// Root needs two capabilities for one step: the change to another user, which gives up every capability.
function privileges({ setpriv }: Sandbox): string[] {
  const keep = setpriv === undefined ? [] : ['--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID']
  return ['--cap-drop', 'ALL', ...keep]
}

function dropToNobody({ setpriv }: Sandbox): string[] {
  if (setpriv === undefined) return []
  return [setpriv, '--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups', '--inh-caps=-all', '--']
}

// Made one by one: the folders above a mount that bubblewrap makes by itself are closed to every user but its own.
function parents(paths: readonly string[]): string[] {
  const all = new Set<string>()
  for (const path of paths) {
    for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) all.add(folder)
  }
  return [...all].sort().flatMap((folder) => ['--dir', folder])
}

function mountFolder(folder: string): string[] {
  // Where /bin is a link to usr/bin, it must be one inside too: programs ask for their real path.
  if (lstatSync(folder).isSymbolicLink()) return ['--symlink', readlinkSync(folder), folder]
  return ['--ro-bind', folder, folder]
}

function isWithin(path: string, folder: string): boolean {
  const step = relative(folder, path)
  return step === '' || (!step.startsWith('..') && !step.startsWith('/'))
}
