import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TierSize } from '@matchyard/core'

const PERIOD_US = 100_000
const GIB = 1024 ** 3
/** Maximum processes and threads for each CPU of the tier: enough for any runtime, and a limit against fork bombs. */
const PIDS_PER_CPU = 512

export type Controller = 'memory' | 'cpu' | 'pids'
const CONTROLLERS: readonly Controller[] = ['memory', 'cpu', 'pids']

/** Cgroups in which this process may create further cgroups; `folders` contains the parent folder by controller. */
export interface CgroupSupport {
  readonly version: 1 | 2
  readonly folders: ReadonlyMap<Controller, string>
}

/**
 * Finds parent cgroups below the service's own cgroup, so that the service's limits also limit its game servers.
 * Cgroups of version 2 need a delegated cgroup; `parent` names it when it is not the service's own cgroup.
 */
export async function findCgroups(parent: string | undefined): Promise<CgroupSupport> {
  const own = await readText('/proc/self/cgroup')
  const folders = new Map<Controller, string>()
  for (const controller of CONTROLLERS) {
    const row = own.split('\n').find((line) => line.split(':')[1]?.split(',').includes(controller))
    const folder = row === undefined ? undefined : join('/sys/fs/cgroup', controller, row.split(':')[2] ?? '/')
    if (folder !== undefined && (await canLimit(folder, controller, 1))) folders.set(controller, folder)
  }
  if (folders.size > 0) return { version: 1, folders }
  const unified = own
    .split('\n')
    .find((line) => line.startsWith('0::'))
    ?.slice(3)
  const folder = parent ?? (unified === undefined ? undefined : join('/sys/fs/cgroup', unified))
  if (folder !== undefined && existsSync(join(folder, 'cgroup.subtree_control'))) {
    await writeFile(join(folder, 'cgroup.subtree_control'), '+memory +cpu +pids').catch(() => {})
    for (const controller of CONTROLLERS) {
      if (await canLimit(folder, controller, 2)) folders.set(controller, folder)
    }
  }
  return { version: 2, folders }
}

export const missingControllers = (support: CgroupSupport): Controller[] =>
  CONTROLLERS.filter((controller) => !support.folders.has(controller))

/** Creates the cgroups of one launch with its tier's limits; returns the paths of their folders. */
export async function makeCgroups(support: CgroupSupport, name: string, size: TierSize): Promise<string[]> {
  const made = new Set<string>()
  for (const [controller, parent] of support.folders) {
    const folder = join(parent, name)
    await mkdir(folder, { recursive: true })
    made.add(folder)
    for (const [file, value, required] of limitsOf(controller, support.version, size)) {
      const writing = writeFile(join(folder, file), value)
      // Swap accounting is often off, and then the file of the swap limit does not exist.
      await (required ? writing : writing.catch(() => {}))
    }
  }
  return [...made]
}

export async function removeCgroups(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await rmdir(folder).catch(() => {})
}

/** Returns the name of a launch's cgroups. The name is short, and it is the same after a restart of the service. */
export const cgroupName = (installationId: string, instanceId: string, attempt: number): string =>
  `matchyard-${createHash('sha256').update(installationId).digest('hex').slice(0, 8)}-${instanceId}-${attempt}`

type Limit = readonly [file: string, value: string, required: boolean]

function limitsOf(controller: Controller, version: 1 | 2, { cpus, memoryGib }: TierSize): Limit[] {
  const memory = String(Math.floor(memoryGib * GIB))
  const quota = Math.round(cpus * PERIOD_US)
  if (controller === 'pids') return [['pids.max', String(Math.ceil(cpus * PIDS_PER_CPU)), true]]
  if (controller === 'cpu' && version === 1) {
    return [
      ['cpu.cfs_period_us', String(PERIOD_US), true],
      ['cpu.cfs_quota_us', String(quota), true],
    ]
  }
  if (controller === 'cpu') return [['cpu.max', `${quota} ${PERIOD_US}`, true]]
  if (version === 1)
    return [
      ['memory.limit_in_bytes', memory, true],
      ['memory.memsw.limit_in_bytes', memory, false],
    ]
  return [
    ['memory.max', memory, true],
    ['memory.swap.max', '0', false],
    ['memory.oom.group', '1', false],
  ]
}

const MARK: Record<Controller, [v1: string, v2: string]> = {
  memory: ['memory.limit_in_bytes', 'memory.max'],
  cpu: ['cpu.cfs_quota_us', 'cpu.max'],
  pids: ['pids.max', 'pids.max'],
}

async function canLimit(parent: string, controller: Controller, version: 1 | 2): Promise<boolean> {
  const probe = join(parent, `matchyard-probe-${process.pid}`)
  try {
    await mkdir(probe)
    await writeFile(join(probe, 'cgroup.procs'), '') // a refusal of the content is fine; lack of permission is not
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EACCES' || error.code === 'EROFS') throw error
      })
    return existsSync(join(probe, MARK[controller][version - 1] as string))
  } catch {
    return false
  } finally {
    await rmdir(probe).catch(() => {})
  }
}

const readText = (path: string) => readFile(path, 'utf8').catch(() => '')
