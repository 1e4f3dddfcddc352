import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import type { KubeConfig, User } from '@kubernetes/client-node'

type Library = typeof import('@kubernetes/client-node')

/** The fields of a kubeconfig's users that the library ignores. */
interface WrittenConfig {
  readonly users?: readonly WrittenUser[]
}
interface WrittenUser {
  readonly name?: string
  readonly user?: { readonly tokenFile?: string; readonly exec?: { readonly command?: string } }
}

/**
 * Returns a function that reads the configuration again from the files, as `kubectl` does. `path` is a file, or a list
 * of files as in the variable KUBECONFIG. In a list, the first file with an entry decides, and files that do not exist
 * are skipped. Default: KUBECONFIG, or `~/.kube/config`, or a pod's service account. For an unreadable kubeconfig, the
 * function throws a TypeError that contains the path and nothing of the content.
 */
export async function kubeconfigReader(path: string | undefined): Promise<() => KubeConfig> {
  // The library is large, so only processes that use a cluster load it.
  const library = await import('@kubernetes/client-node').catch((error: unknown) => {
    throw new TypeError(`install @kubernetes/client-node beside the service: ${String(error)}`)
  })
  return () => {
    try {
      return readIn(library, path)
    } catch (error) {
      // The error's message may quote the file, which contains credentials. So only the error's code is used.
      const code = (error as NodeJS.ErrnoException).code
      throw new TypeError(
        `the kubeconfig ${path ?? 'of this machine'} cannot be read${code === undefined ? '' : ` (${code})`}`,
      )
    }
  }
}

function readIn(library: Library, path: string | undefined): KubeConfig {
  const usual = join(homedir(), '.kube', 'config')
  // The files are merged here, because the library refuses a list in which two files have entries with one name.
  const named = path ?? process.env.KUBECONFIG ?? ''
  const files = named.split(delimiter).filter((file) => file !== '')
  if (files.length > 0) return merged(library, files)
  if (existsSync(usual)) return merged(library, [usual])
  const config = new library.KubeConfig()
  config.loadFromDefault()
  return config
}

function merged(library: Library, files: readonly string[]): KubeConfig {
  const all = new library.KubeConfig()
  const there = files.length === 1 ? files : files.filter((file) => existsSync(file))
  for (const file of there.length === 0 ? files : there) {
    const one = readFile(library, file)
    for (const cluster of one.clusters) if (all.getCluster(cluster.name) === null) all.addCluster(cluster)
    for (const user of one.users) if (all.getUser(user.name) === null) all.addUser(user)
    for (const context of one.contexts) if (all.getContextObject(context.name) === null) all.addContext(context)
    if (!all.getCurrentContext()) all.setCurrentContext(one.getCurrentContext())
  }
  return all
}

/** Whether a text consists of comments and blank lines only. */
const isBlank = (text: string): boolean =>
  text.split('\n').every((line) => line.trim() === '' || line.trimStart().startsWith('#'))

function readFile(library: Library, file: string): KubeConfig {
  const text = readFileSync(file, 'utf8')
  const config = new library.KubeConfig()
  if (isBlank(text)) return config
  const written = library.loadYaml<WrittenConfig>(text)
  // Invalid entries are left out, because an invalid entry that no context uses must not cause an error.
  config.loadFromString(text, { onInvalidEntry: 'filter' })
  const folder = dirname(resolve(file))
  config.makePathsAbsolute(folder)
  const writtenOf = (user: User) => written.users?.find(({ name }) => name === user.name)?.user ?? undefined
  config.users = config.users.map((user) => whole(user, writtenOf(user), folder))
  return config
}

/**
 * Returns a user with the fields that the library ignores: the path of a token file, which is read again when the file
 * changes; and the path of a plugin, relative to the kubeconfig.
 */
function whole(user: User, written: WrittenUser['user'] = {}, folder: string): User {
  const { tokenFile, exec: { command } = {} } = written
  const { token, ...rest } = user
  if (tokenFile !== undefined) {
    const config = { tokenFile: isAbsolute(tokenFile) ? tokenFile : join(folder, tokenFile) }
    return { ...rest, authProvider: { name: 'tokenFile', config } }
  }
  const isBeside = command?.includes(sep) === true && !isAbsolute(command)
  return isBeside ? { ...user, exec: { ...user.exec, command: join(folder, command) } } : user
}

/**
 * Sets the current context of a configuration. The plugin for its credentials reads facts about the cluster from an
 * environment variable, which is set here too.
 */
export function useContext(config: KubeConfig, context: string): void {
  config.setCurrentContext(context)
  const user = config.getCurrentUser()
  const cluster = config.getCurrentCluster()
  if (!user?.exec || cluster === null) return
  const { apiVersion, provideClusterInfo = false, env, ...exec } = user.exec
  const info = {
    apiVersion,
    kind: 'ExecCredential',
    spec: {
      interactive: false,
      ...(provideClusterInfo
        ? { cluster: { server: cluster.server, 'certificate-authority-data': cluster.caData } }
        : {}),
    },
  }
  const told = { name: 'KUBERNETES_EXEC_INFO', value: JSON.stringify(info) }
  const telling = { ...user, exec: { ...exec, apiVersion, provideClusterInfo, env: [...(env ?? []), told] } }
  config.users = config.users.map((one) => (one === user ? telling : one))
}
