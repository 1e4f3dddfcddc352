import { stat } from 'node:fs/promises'
import type { ArchiveVerdict, BuildLog } from '@matchyard/core/ports'
import { errorCode } from './disk-errors'
import { ARCHIVE_LIMITS, type ArchiveLimits } from './limits'
import { archiveThreads } from './worker/archive-threads'

/** What a store wants of an archive: the build's executable, and what it may ask of the machine. */
export interface ReadingOptions {
  /** Relative to the archive's root. */
  readonly executablePath: string
  readonly limits: ArchiveLimits
}

/**
 * Checks an archive against every refusal of docs/http-api.md (§4), in a thread of its own; the message names the entry. undefined where
 * there is no such file. Throws what the disk throws.
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
 * Unpacks an archive into an empty folder, by the same rules again, in a thread that waits for no check. Answers whether there is such a
 * file. Throws `ArchiveRefused`, and what the disk throws.
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

/** Those that a store was given, and for the rest the service's own. */
export const limitsOf = (given: Partial<ArchiveLimits> | undefined): ArchiveLimits => ({ ...ARCHIVE_LIMITS, ...given })

/** Bytes of a file; undefined where there is no such file. */
export async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The id becomes a name: whatever else it may be, it must not be a path. Throws TypeError. */
export function checkedBuildId(buildId: string): string {
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(buildId)) throw new TypeError(`not a build id: ${JSON.stringify(buildId)}`)
  return buildId
}
