import { fromRandomAccessReaderPromise, type ZipFile } from 'yauzl'
import { type ArchiveEntry, readArchiveEntry } from './archive-entry'
import { ArchiveReader } from './archive-reader'
import { isDiskTrouble } from './disk-errors'
import type { ArchiveLimits } from './limits'
import { NameRegistry } from './name-registry'
import { ArchiveRefused, quote, refuse } from './refusal'

const CONFIG_FILE = 'its_svc.json'
// Names are decoded and sizes are checked here: yauzl's own messages do not name the entry.
const READING = { autoClose: false, decodeStrings: false, validateEntrySizes: false }

export interface OpenArchive {
  readonly zip: ZipFile
  readonly entries: readonly ArchiveEntry[]
}

/** Opens an archive, passes every row of its directory by the rules, hands it to `use` and closes it. */
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
    if (entry.parts.length === 0) continue // "./", the root
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
    const missing = `there is no regular file at executable_path ${JSON.stringify(executablePath)}`
    throw new ArchiveRefused(missing + whereElse(entries, executable))
  }
  return entries
}

/** Returns advice for an archive of a folder, where its content was wanted; empty where the executable is nowhere. */
function whereElse(entries: readonly ArchiveEntry[], executable: string): string {
  const found = entries.find(({ name, isFolder }) => !isFolder && name.endsWith(`/${executable}`))
  if (found === undefined) return ''
  const folder = found.name.slice(0, -executable.length - 1)
  return `; it is at ${quote(found.name)}: pack the content of ${quote(folder)}, or set executable_path to that`
}

export const normalise = (path: string): string =>
  path
    .split('/')
    .filter((part) => part !== '.')
    .join('/')

/** Errors of the reader become a refusal; those of the disk pass, they say nothing about the archive. */
async function damaged<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isDiskTrouble(error)) throw error
    throw new ArchiveRefused(`the archive ${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
