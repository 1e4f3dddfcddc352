import { fromRandomAccessReaderPromise, type ZipFile } from 'yauzl'
import { type ArchiveEntry, readArchiveEntry } from './archive-entry'
import { ArchiveReader } from './archive-reader'
import { isDiskTrouble } from './disk-errors'
import type { ArchiveLimits } from './limits'
import { NameRegistry } from './name-registry'
import { ArchiveRefused, quote, refuse } from './refusal'

const CONFIG_FILE = 'its_svc.json'
/** Most file names in the message when an archive is refused. */
const SHOWN_NAMES = 5
// Options for yauzl. This package decodes the names and checks the sizes itself, because yauzl's error messages do not
// name the entry.
const READING = { autoClose: false, decodeStrings: false, validateEntrySizes: false }

export interface OpenArchive {
  readonly zip: ZipFile
  readonly entries: readonly ArchiveEntry[]
}

/** Opens an archive, checks every row of its directory, passes the archive to `use` and closes it. */
export async function withArchive<T>(
  file: string,
  executablePath: string,
  limits: ArchiveLimits,
  use: (archive: OpenArchive) => Promise<T>,
): Promise<T> {
  const reader = await ArchiveReader.open(file)
  try {
    const zip = await damaged('is not a ZIP archive, or is cut short', () =>
      fromRandomAccessReaderPromise(reader, reader.size, READING),
    )
    return await use({ zip, entries: await readDirectory(zip, executablePath, limits) })
  } finally {
    await reader.release()
  }
}

async function readDirectory(zip: ZipFile, executablePath: string, limits: ArchiveLimits): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  const names = new NameRegistry()
  let declaredBytes = 0
  const rows = zip.eachEntry()
  for (let row = 1; ; row++) {
    const next = await damaged(`has a damaged directory (row ${row})`, () => rows.next())
    if (next.done === true) break
    const entry = readArchiveEntry(next.value, limits)
    if (row > limits.entries) refuse(entry.name, `is one too many: at most ${limits.entries} entries are allowed`)
    if (entry.parts.length === 0) continue // "./" names the root
    if (entry.parts[0]?.toLowerCase() === CONFIG_FILE) {
      refuse(entry.name, `stands where the service puts its own ${CONFIG_FILE}`)
    }
    names.add(entry.parts, entry.isFolder ? 'folder' : 'file')
    declaredBytes += entry.unpackedBytes
    if (declaredBytes > limits.unpackedBytes) {
      refuse(entry.name, `makes the archive larger than ${limits.unpackedBytes} bytes unpacked`)
    }
    entries.push(entry)
  }
  const executable = normalise(executablePath)
  if (!names.hasFile(executable)) {
    throw new ArchiveRefused(
      `there is no file ${quote(executablePath)} in the archive; ${whatElse(entries, executable)}`,
    )
  }
  return entries
}

/**
 * Returns advice for a wrong executable path. When the archive contains the file in a folder, the advice says how to
 * correct the archive or the path; otherwise it is a list of file names.
 */
function whatElse(entries: readonly ArchiveEntry[], executable: string): string {
  const found = entries.find(({ name, isFolder }) => !isFolder && name.endsWith(`/${executable}`))
  if (found === undefined) return whatItHolds(entries)
  const folder = found.name.slice(0, -executable.length - 1)
  return `it is at ${quote(found.name)}: pack the content of ${quote(folder)}, or set executable_path to that`
}

/** Returns the names of at most 5 files, beginning with the files nearest to the root. */
function whatItHolds(entries: readonly ArchiveEntry[]): string {
  const files = entries.filter(({ isFolder }) => !isFolder).sort((a, b) => a.parts.length - b.parts.length)
  if (files.length === 0) return 'it holds no file'
  const more = files.length > SHOWN_NAMES ? ` and ${files.length - SHOWN_NAMES} more` : ''
  const names = files.slice(0, SHOWN_NAMES).map(({ name }) => quote(name))
  return `it holds ${names.join(', ')}${more}: set executable_path to the file that is to run`
}

export const normalise = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '.')
    .join('/')

/**
 * Converts errors of the reader to a refusal of the archive. Throws errors of the disk unchanged, because they say
 * nothing about the archive.
 */
async function damaged<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isDiskTrouble(error)) throw error
    throw new ArchiveRefused(`the archive ${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
