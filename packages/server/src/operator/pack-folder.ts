import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { ConfigurationError } from '../config/configuration-error'

// A fixed time for all files, so that equal files give equal archives.
const PACKED_AT = new Date('2026-01-01T00:00:00Z')

/** Packs a folder as the ZIP archive of a build. `executable` is the program's path, relative to the folder. */
export async function packFolder(folder: string, executable: string): Promise<Buffer> {
  const names = namesIn(folder)
  if (!names.includes(executable)) {
    const there = names.slice(0, 5).join(', ')
    throw new ConfigurationError(
      `--executable: there is no file ${executable} in ${folder}; ${there === '' ? 'it is empty' : `there is ${there}${names.length > 5 ? ' …' : ''}`}`,
    )
  }
  const zip = new ZipFile()
  for (const name of names) {
    const path = join(folder, name)
    const mode = name === executable || (statSync(path).mode & 0o100) !== 0 ? 0o100755 : 0o100644
    zip.addBuffer(readFileSync(path), name, { mode, mtime: PACKED_AT })
  }
  zip.end()
  return buffer(zip.outputStream as NodeJS.ReadableStream)
}

/** Returns the paths of all files in a folder and its subfolders, in the form of an archive. */
function namesIn(folder: string): readonly string[] {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  } catch {
    throw new ConfigurationError(`${folder} is no folder that can be read`)
  }
  const nameOf = (entry: Dirent) =>
    relative(folder, join(entry.parentPath ?? entry.path, entry.name))
      .split(sep)
      .join('/')
  // The target of a link is unknown on the machine that unpacks the archive. The service also refuses links, but only
  // after the upload.
  const link = entries.find((entry) => entry.isSymbolicLink())
  if (link !== undefined) throw new ConfigurationError(`${nameOf(link)} is a link: put the file itself into ${folder}`)
  return entries
    .filter((entry) => entry.isFile())
    .map(nameOf)
    .sort()
}
