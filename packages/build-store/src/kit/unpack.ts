import { mkdir, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArchiveEntry } from './archive-entry'
import { readEntryData, UnpackBudget } from './entry-data'
import type { ArchiveLimits } from './limits'
import { normalise, withArchive } from './open-archive'

const FOLDER_MODE = 0o755
const FILE_MODE = 0o644
const PROGRAM_MODE = 0o755

/** Unpacks an archive and checks the same rules again, because the file may have changed on disk since `inspect`. */
export async function unpack(
  file: string,
  executablePath: string,
  directory: string,
  limits: ArchiveLimits,
): Promise<void> {
  const budget = new UnpackBudget((await stat(file)).size, limits)
  const executable = normalise(executablePath)
  await withArchive(file, executablePath, limits, async ({ zip, entries }) => {
    const made = new Set<string>()
    const folder = async (parts: readonly string[]) => {
      const path = join(directory, ...parts)
      if (!made.has(path)) await mkdir(path, { recursive: true, mode: FOLDER_MODE })
      made.add(path)
    }
    for (const entry of entries) {
      await folder(entry.isFolder ? entry.parts : entry.parts.slice(0, -1))
      if (entry.isFolder) {
        await readEntryData(zip, file, entry, budget, () => {}) // gives the same verdict as `inspect`
        continue
      }
      await writeEntry(join(directory, ...entry.parts), modeOf(entry, executable), (write) =>
        readEntryData(zip, file, entry, budget, write),
      )
    }
  })
}

// The function uses only the permission to execute from the archive: no setuid, no write permission for group or
// others.
const modeOf = (entry: ArchiveEntry, executable: string) =>
  entry.executable || entry.name === executable ? PROGRAM_MODE : FILE_MODE

async function writeEntry(
  path: string,
  mode: number,
  fill: (write: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  // With the flag "wx", the call never writes to a file or a link that already exists.
  const handle = await open(path, 'wx', mode)
  try {
    await fill((chunk) => handle.writeFile(chunk))
    await handle.chmod(mode) // independent of the service's umask
  } finally {
    await handle.close()
  }
}
