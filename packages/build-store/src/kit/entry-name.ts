import type { ArchiveLimits } from './limits'
import { refuse } from './refusal'

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

export interface EntryName {
  /** Parts of the path between slashes, without `.`; empty for the root. */
  readonly parts: readonly string[]
  readonly isFolder: boolean
}

const NOT_UTF8 =
  'has a name that is not valid UTF-8; rename the file, or pack it with UTF-8 names: 7z a -mcu=on, zip, tar -a, PowerShell 7'
const BACKSLASH =
  'has a backslash in its name, and the archive was not made on Windows; pack it with forward slashes: 7z, zip, PowerShell 7'

/**
 * Returns the path in a name from the central directory. Accepts only names that lead to the same path on every system:
 * valid UTF-8 (flags of the archive are ignored), forward slashes, relative, without `..`. In an archive that was made
 * on Windows, a backslash counts as a slash.
 */
export function readEntryName(raw: Uint8Array, limits: ArchiveLimits, isFromWindows: boolean): EntryName {
  const shown = Buffer.from(raw).toString('latin1')
  if (raw.length === 0) return refuse('', 'has no name')
  if (raw.length > limits.nameBytes) return refuse(shown, `has a name longer than ${limits.nameBytes} bytes`)
  const decoded = decode(raw) ?? refuse(shown, NOT_UTF8)
  const name = isFromWindows ? decoded.replaceAll('\\', '/') : decoded
  if (CONTROL.test(name)) return refuse(name, 'has a control character in its name')
  if (name.includes('\\')) return refuse(name, BACKSLASH)
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return refuse(name, 'is an absolute path')
  const isFolder = name.endsWith('/')
  const parts = (isFolder ? name.slice(0, -1) : name).split('/')
  for (const part of parts) {
    if (part === '..') return refuse(name, 'leaves the archive (path traversal)')
    if (part === '') return refuse(name, 'has an empty part in its path')
    if (Buffer.byteLength(part) > limits.namePartBytes) {
      return refuse(name, `has a part longer than ${limits.namePartBytes} bytes in its name`)
    }
  }
  const kept = parts.filter((part) => part !== '.')
  if (kept.length === 0 && !isFolder) return refuse(name, 'names the root, not a file')
  return { parts: kept, isFolder }
}

function decode(raw: Uint8Array): string | undefined {
  try {
    return UTF8.decode(raw)
  } catch {
    return undefined
  }
}
