import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildStore, type NamesOf, requireKnownOptions, StorageUnavailable } from '@matchyard/core/ports'
import {
  ARCHIVE_LIMITS,
  type ArchiveLimits,
  checkedBuildId,
  inspectArchive,
  limitsOf,
  onDisk,
  sizeOf,
  unpackArchive,
} from '../kit/index'
import { Drafts } from './drafts'
import { receive } from './receive'

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
  const limits = limitsOf(options.limits)
  const drafts = new Drafts(options.directory, options.shared ?? true)
  const fileOf = (buildId: string) => join(options.directory, `${checkedBuildId(buildId)}.zip`)
  return {
    name: 'fs',
    direct: null,
    receive: (buildId, body, terms) =>
      onDisk('the upload cannot be kept', () => receive(drafts, checkedBuildId(buildId), body, terms)),
    sweep: () => onDisk('the build store cannot be swept', () => drafts.sweep()),
    has: (buildId) =>
      onDisk('the build store cannot be read', async () => (await sizeOf(fileOf(buildId))) !== undefined),
    inspect: (buildId, { executablePath }, log) =>
      onDisk('the archive cannot be read', async () => {
        const verdict = await inspectArchive(fileOf(buildId), { executablePath, limits }, log)
        return verdict ?? { ok: false, message: `build ${buildId} has no archive` }
      }),
    unpack: (buildId, { executablePath, directory }) =>
      onDisk('the archive cannot be unpacked', async () => {
        if (await unpackArchive(fileOf(buildId), { executablePath, limits, directory })) return
        throw new StorageUnavailable(
          `build ${buildId} has no archive here: the nodes of a database share ${options.directory}`,
        )
      }),
    remove: (buildId) => onDisk('the archive cannot be removed', () => rm(fileOf(buildId), { force: true })),
  }
}
