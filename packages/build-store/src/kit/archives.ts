import { stat } from 'node:fs/promises'
import type { ArchiveVerdict, BuildLog } from '@matchyard/core/ports'
import { errorCode } from './disk-errors'
import { ARCHIVE_LIMITS, type ArchiveLimits } from './limits'
import { archiveThreads } from './worker/archive-threads'

/** Options for reading an archive: the path of the build's executable file, and the limits. */
export interface ReadingOptions {
  /** Path of the executable file, relative to the archive's root. */
  readonly executablePath: string
  readonly limits: ArchiveLimits
}

/**
 * Checks an archive in a separate thread, for every reason to refuse it (docs/http-api.md, §4). The message of the
 * result names the entry. Returns undefined when the file does not exist. Throws errors of the disk unchanged.
 */
export async function inspectArchive(
  file: string,
  { executablePath, limits }: ReadingOptions,
  log: BuildLog,
): Promise<ArchiveVerdict | undefined> {
  const bytes = await sizeOf(file)
  if (bytes === undefined) return undefined
  return archiveThreads.checking.run({ kind: 'inspect', file, executablePath, limits }, bytes, log)
}

/**
 * Unpacks an archive into an empty folder and checks the same rules again. The work runs in a thread that does not wait
 * for checks of other archives. Returns whether the file exists. Throws `ArchiveRefused`, and errors of the disk
 * unchanged.
 */
export async function unpackArchive(
  file: string,
  { executablePath, limits, directory }: ReadingOptions & { readonly directory: string },
): Promise<boolean> {
  const bytes = await sizeOf(file)
  if (bytes === undefined) return false
  await archiveThreads.unpacking.run({ kind: 'unpack', file, executablePath, directory, limits }, bytes)
  return true
}

/** Returns the given limits, with the service's defaults for the limits that are not given. */
export const limitsOf = (given: Partial<ArchiveLimits> | undefined): ArchiveLimits => ({ ...ARCHIVE_LIMITS, ...given })

/** Returns the size of a file in bytes; undefined when the file does not exist. */
export async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Returns the id of a build. Throws TypeError unless the id is safe as a file name: it must not be a path. */
export function checkedBuildId(buildId: string): string {
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(buildId)) throw new TypeError(`not a build id: ${JSON.stringify(buildId)}`)
  return buildId
}
