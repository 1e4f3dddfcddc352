import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { CONFIG_PATH, SERVICE_ROOT } from '../kit/index'
import { nodeFolder } from './game-environment'

const NOBODY = 65534
export const SANDBOX_HOME = '/home/server'

/**
 * Folders of the machine that a game server may read. All other folders (data, keys, homes) do not exist in the
 * sandbox.
 */
const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store']
/**
 * Files of /etc in the sandbox: for libraries, names, certificates and the time. They contain no settings of services
 * and no passwords. The two files of Mono are for C# servers: Mono finds its libraries with the first file, and reads
 * the second file before it opens a connection.
 */
const SYSTEM_SETTINGS = 'alternatives ca-certificates crypto-policies fonts group gai.conf host.conf hosts ld.so.cache '
  .concat('ld.so.conf ld.so.conf.d localtime mono/config mono/4.5/machine.config nsswitch.conf passwd pki protocols ')
  .concat('resolv.conf services ssl timezone')
  .split(' ')
  .map((name) => `/etc/${name}`)

export interface Sandbox {
  readonly bwrap: string
  /**
   * Path of the program setpriv, which runs the game server as another user when the service runs as root. Undefined
   * when the server runs as the service's user.
   */
  readonly setpriv: string | undefined
  /** Additional folders of the machine that a game server may read. */
  readonly readOnlyPaths: readonly string[]
  /** Folders that are never visible, even inside a visible folder. */
  readonly hiddenPaths: readonly string[]
}

export interface SandboxPaths {
  readonly program: string
  readonly config: string
  readonly home: string
}

/** Returns the id of the user that owns the game server's writable files; undefined for the service's own user. */
export const sandboxUser = ({ setpriv }: Sandbox): number | undefined => (setpriv === undefined ? undefined : NOBODY)

/**
 * Returns the part of a command line that starts the sandbox; the game server's program follows after it. bubblewrap
 * writes its report to file descriptor 3.
 */
export function sandboxCommand(sandbox: Sandbox, { program, config, home }: SandboxPaths): string[] {
  const folders = visibleFolders(sandbox)
  const hidden = sandbox.hiddenPaths.filter((path) => folders.some((folder) => isWithin(path, folder)))
  return [
    ...[sandbox.bwrap, '--new-session', '--json-status-fd', '3'],
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...privileges(sandbox),
    // This option comes first, so that the temporary folder does not hide folders that later options mount below it.
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

/** Whether a file of the machine is visible in the sandbox. */
export const seesInSandbox = (sandbox: Sandbox, file: string): boolean =>
  visibleFolders(sandbox).some((folder) => isWithin(file, folder)) &&
  !sandbox.hiddenPaths.some((path) => isWithin(file, path))

function visibleFolders({ readOnlyPaths }: Sandbox): string[] {
  const more = [nodeFolder(), ...readOnlyPaths].filter(
    (path) => !SYSTEM_FOLDERS.some((folder) => isWithin(path, folder)),
  )
  return [...SYSTEM_FOLDERS, ...more].filter(existsSync)
}

// Returns the options of bubblewrap for privileges. When the service runs as root, the sandbox keeps two capabilities
// for one step: the change to another user, which drops all capabilities.
function privileges({ setpriv }: Sandbox): string[] {
  const keep = setpriv === undefined ? [] : ['--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID']
  return ['--cap-drop', 'ALL', ...keep]
}

function dropToNobody({ setpriv }: Sandbox): string[] {
  if (setpriv === undefined) return []
  return [setpriv, '--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups', '--inh-caps=-all', '--']
}

// Returns options that create the parent folders one by one. If bubblewrap created parent folders by itself, other
// users could not read them.
function parents(paths: readonly string[]): string[] {
  const all = new Set<string>()
  for (const path of paths) {
    for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) all.add(folder)
  }
  return [...all].sort().flatMap((folder) => ['--dir', folder])
}

function mountFolder(folder: string): string[] {
  // When /bin is a link to usr/bin on the machine, it must be a link in the sandbox too, because programs look up their
  // real path.
  if (lstatSync(folder).isSymbolicLink()) return ['--symlink', readlinkSync(folder), folder]
  return ['--ro-bind', folder, folder]
}

function isWithin(path: string, folder: string): boolean {
  const step = relative(folder, path)
  return step === '' || (!step.startsWith('..') && !step.startsWith('/'))
}
