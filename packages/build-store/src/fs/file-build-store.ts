import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildStore, type NamesOf, requireKnownOptions, StorageUnavailable } from '@matchyard/core/ports'
import {
  ARCHIVE_LIMITS,
  type ArchiveLimits,
  checkedBuildId,
  errorCode,
  inspectArchive,
  limitsOf,
  onDisk,
  sizeOf,
  unpackArchive,
} from '../kit/index'
import { readPart } from '../kit/read-part'
import { Drafts } from './drafts'
import { fileLogs } from './file-logs'
import { receive } from './receive'

/** Options of a build store in a folder. */
export interface FileBuildStoreOptions {
  /** Folder with one file `<build id>.zip` for each build, and the folder `logs`; created when needed. */
  readonly directory: string
  /** Whether other processes also write to the folder (the nodes of one database). Default: yes. */
  readonly shared?: boolean
  /** Limits of archives; each default is in docs/http-api.md §4. */
  readonly limits?: Partial<ArchiveLimits>
}

const OPTIONS: NamesOf<FileBuildStoreOptions> = { directory: true, shared: true, limits: true }

/**
 * Returns a build store that keeps archives as files in one folder. Separate threads read the archives, never the event
 * loop: some threads check uploads; other threads unpack for launches, so that no launch waits for a check. Every call
 * throws StorageUnavailable when the disk is full, read-only or broken; no partial file stays. Throws TypeError for an
 * unknown option.
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
    logs: fileLogs(join(options.directory, 'logs')),
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
    locate: (buildId) =>
      onDisk('the build store cannot be read', async () => {
        const sizeBytes = await sizeOf(fileOf(buildId))
        return sizeBytes === undefined ? undefined : { sizeBytes, sha256: null, url: null }
      }),
    async *read(buildId, part) {
      const handle = await open(fileOf(buildId)).catch((error: unknown) => {
        throw new StorageUnavailable(`the archive cannot be read: ${errorCode(error)}`, { cause: error })
      })
      yield* readPart(handle, part)
    },
    remove: (buildId) => onDisk('the archive cannot be removed', () => rm(fileOf(buildId), { force: true })),
  }
}
