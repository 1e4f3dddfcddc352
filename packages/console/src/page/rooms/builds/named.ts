import type { Build, Queue, Server } from '@matchyard/client/admin'

/** Whether a new server can be launched from a version. */
export const isLaunchable = ({ status, disabled }: Build): boolean => status === 'ready' && !disabled

/** All versions of a build name, with the queues and servers that use it. */
export interface Named {
  readonly name: string
  /** Versions, newest first. */
  readonly versions: readonly [Build, ...Build[]]
  /** Newest version that can be launched. Queues without a pinned version launch this version. */
  readonly ready: Build | undefined
  readonly queues: readonly Queue[]
  /** Live servers that run any version of the build name. */
  readonly servers: readonly Server[]
}

const LIVE: ReadonlySet<Server['status']> = new Set(['launching', 'running', 'stopping'])

/** Returns the builds of a project grouped by name. The name with the most recently created version comes first. */
export function namedOf(
  builds: readonly Build[],
  queues: readonly Queue[],
  servers: readonly Server[],
): readonly Named[] {
  const byName = new Map<string, Build[]>()
  for (const build of builds) {
    if (build.status !== 'deleted') byName.set(build.name, [...(byName.get(build.name) ?? []), build])
  }
  const all = [...byName].map(([name, found]): Named => {
    const versions = found.sort((a, b) => b.version - a.version) as [Build, ...Build[]]
    return {
      name,
      versions,
      ready: versions.find(isLaunchable),
      queues: queues.filter(({ server_settings }) => server_settings?.version_tag === name),
      servers: servers.filter(({ version_tag, status }) => version_tag === name && LIVE.has(status)),
    }
  })
  return all.sort((a, b) => (a.versions[0].created_at < b.versions[0].created_at ? 1 : -1))
}
