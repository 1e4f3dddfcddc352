import { stat } from 'node:fs/promises'
import type { ArchiveVerdict, BuildLog } from '@matchyard/core/ports'
import { readEntryData, UnpackBudget } from './entry-data'
import type { ArchiveLimits } from './limits'
import { normalise, withArchive } from './open-archive'
import { ArchiveRefused } from './refusal'

/**
 * Reads the whole archive once and stores nothing. Checks every rule of docs/http-api.md (§4) and verifies every
 * checksum.
 */
export async function inspect(
  file: string,
  executablePath: string,
  limits: ArchiveLimits,
  log: BuildLog,
): Promise<ArchiveVerdict> {
  try {
    const archiveBytes = (await stat(file)).size
    log('info', `checking an archive of ${archiveBytes} bytes`)
    const verdict = await withArchive(file, executablePath, limits, async ({ zip, entries }) => {
      log('info', `the directory lists ${counted(entries.length)}`)
      const budget = new UnpackBudget(archiveBytes, limits)
      const executable = normalise(executablePath)
      let unpackedBytes = 0
      for (const entry of entries) {
        const head = new Head()
        await readEntryData(zip, file, entry, budget, (chunk) => head.take(chunk))
        unpackedBytes += entry.unpackedBytes
        if (entry.name === executable && !head.looksExecutable()) {
          log('warn', `"${executablePath}" is neither an ELF program nor a script with an interpreter line`)
        }
      }
      return { ok: true as const, unpackedBytes, entries: entries.length }
    })
    log('info', `accepted: ${counted(verdict.entries)}, ${verdict.unpackedBytes} bytes unpacked`)
    return verdict
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error
    return { ok: false, message: error.message }
  }
}

/** Collects the first bytes of a file, enough for the signature of a program. */
class Head {
  private bytes = Buffer.alloc(0)

  take(chunk: Uint8Array): void {
    if (this.bytes.length < 4) this.bytes = Buffer.concat([this.bytes, chunk.subarray(0, 4)])
  }

  looksExecutable(): boolean {
    return (
      this.bytes.subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1')) || this.bytes.toString('latin1', 0, 2) === '#!'
    )
  }
}

const counted = (entries: number) => (entries === 1 ? '1 entry' : `${entries} entries`)
