import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildStore, type NamesOf, requireKnownOptions, StorageUnavailable } from '@matchyard/core/ports'
import { errorCode } from './disk-errors'
import { Drafts } from './drafts'
import { ARCHIVE_LIMITS, type ArchiveLimits } from './limits'
import { onDisk } from './on-disk'
import { receive } from './receive'
import { archiveThreads } from './worker/archive-threads'

export interface FileBuildStoreOptions {
  /** Holds one `<build id>.zip` per build; made when needed. */
  readonly directory: string
  /** Whether other processes write to the folder, too (the nodes of one database). Default: yes. */
  readonly shared?: boolean
  /** Those of docs/http-api.md §4 unless said otherwise. */
  readonly limits?: Partial<ArchiveLimits>
}

const OPTIONS: NamesOf<FileBuildStoreOptions> = { directory: true, shared: true, limits: true }

/**
 * Keeps archives as files of one folder. They are read in threads of their own, never on the event loop: those that check uploads, and
 * others that unpack for launches, which wait for no check.
 * Every call throws StorageUnavailable when the disk is full, read-only or broken; nothing half-written stays.
 * Throws TypeError for an option that nobody knows.
 */
export function fileBuildStore(options: FileBuildStoreOptions): BuildStore {
  requireKnownOptions('fileBuildStore', options, Object.keys(OPTIONS))
  requireKnownOptions('fileBuildStore, limits', options.limits ?? {}, Object.keys(ARCHIVE_LIMITS))
  const limits = { ...ARCHIVE_LIMITS, ...options.limits }
  const { checking, unpacking } = archiveThreads
  const drafts = new Drafts(options.directory, options.shared ?? true)
  // The id becomes a file name: whatever else it may be, it must not be a path.
  const checked = (buildId: string) => {
    if (!/^[A-Za-z0-9_-]{1,128}$/.test(buildId)) throw new TypeError(`not a build id: ${JSON.stringify(buildId)}`)
    return buildId
  }
  const fileOf = (buildId: string) => join(options.directory, `${checked(buildId)}.zip`)
  return {
    name: 'fs',
    receive: (buildId, body, { maxBytes }) =>
      onDisk('the upload cannot be kept', () => receive(drafts, checked(buildId), body, maxBytes)),
    sweep: () => onDisk('the build store cannot be swept', () => drafts.sweep()),
    has: (buildId) =>
      onDisk('the build store cannot be read', async () => (await sizeOf(fileOf(buildId))) !== undefined),
    inspect: (buildId, { executablePath }, log) =>
      onDisk('the archive cannot be read', async () => {
        const file = fileOf(buildId)
        const bytes = await sizeOf(file)
        if (bytes !== undefined) {
          const verdict = await checking.run({ kind: 'inspect', file, executablePath, limits }, bytes, log)
          if (verdict !== undefined) return verdict
        }
        const message = `build ${buildId} has no archive`
        log('error', message)
        return { ok: false, message }
      }),
    unpack: (buildId, { executablePath, directory }) =>
      onDisk('the archive cannot be unpacked', async () => {
        const file = fileOf(buildId)
        const bytes = await sizeOf(file)
        if (bytes === undefined) {
          throw new StorageUnavailable(
            `build ${buildId} has no archive here: the nodes of a database share ${options.directory}`,
          )
        }
        await unpacking.run({ kind: 'unpack', file, executablePath, directory, limits }, bytes)
      }),
    remove: (buildId) => onDisk('the archive cannot be removed', () => rm(fileOf(buildId), { force: true })),
  }
}

/** undefined where there is no such file. */
async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
