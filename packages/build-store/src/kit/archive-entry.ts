import type { Entry } from 'yauzl'
import { type EntryName, readEntryName } from './entry-name'
import type { ArchiveLimits } from './limits'
import { refuse } from './refusal'

/**
 * The fields of an archive's entry that stay in memory. A whole entry may have 190 kB of names and comments, and an
 * archive may have 20,000 entries.
 */
export interface ArchiveEntry {
  readonly name: string
  readonly parts: readonly string[]
  readonly isFolder: boolean
  readonly isStored: boolean
  readonly packedBytes: number
  readonly unpackedBytes: number
  readonly crc32: number
  readonly executable: boolean
  readonly headerOffset: number
}

const PACK_AGAIN = 'pack it with zip, PowerShell (Compress-Archive) or 7z a -tzip -mm=Deflate'
const METHODS: ReadonlyMap<number, string> = new Map([
  // Compression method that Windows Explorer uses for files over 2 GB.
  [9, 'Deflate64'],
  [12, 'BZip2'],
  [14, 'LZMA'],
  [93, 'Zstandard'],
  [95, 'XZ'],
])
const methodName = (method: number): string => METHODS.get(method) ?? `method ${method}`
const STORED = 0
const DEFLATED = 8
/** Flags of traditional encryption, strong encryption and masked headers. */
const ENCRYPTED_FLAGS = 0x1 | 0x40 | 0x2000
const FILE_TYPE = 0o170000
const REFUSED_TYPES = new Map([
  [0o120000, 'is a symbolic link; pack the file that it points to (zip without -y)'],
  [0o060000, 'is a device'],
  [0o020000, 'is a device'],
  [0o010000, 'is a named pipe'],
  [0o140000, 'is a socket'],
])
/** Numbers, in the archive's field "made by", of the file systems whose paths have backslashes: FAT, NTFS, VFAT. */
const WINDOWS: ReadonlySet<number> = new Set([0, 10, 14])
const REGULAR = 0o100000
const FOLDER = 0o040000

/**
 * Returns the entry in one row of the central directory. Refuses every row that the rules for archives forbid
 * (docs/http-api.md, §4).
 */
export function readArchiveEntry(raw: Entry, limits: ArchiveLimits): ArchiveEntry {
  const { parts, isFolder }: EntryName = readEntryName(raw.fileNameRaw, limits, WINDOWS.has(raw.versionMadeBy >> 8))
  const name = parts.join('/') + (isFolder ? '/' : '')
  if ((raw.generalPurposeBitFlag & ENCRYPTED_FLAGS) !== 0) refuse(name, 'is encrypted')
  const mode = raw.externalFileAttributes >>> 16
  checkType(name, mode & FILE_TYPE, isFolder)
  if (raw.compressionMethod !== STORED && raw.compressionMethod !== DEFLATED) {
    refuse(name, `is packed with ${methodName(raw.compressionMethod)}; only Deflate is read: ${PACK_AGAIN}`)
  }
  const isStored = raw.compressionMethod === STORED
  if (isStored && raw.compressedSize !== raw.uncompressedSize) refuse(name, 'is stored, but its two sizes differ')
  if (isFolder && raw.uncompressedSize !== 0) refuse(name, 'is a folder with content')
  return {
    name,
    parts,
    isFolder,
    isStored,
    packedBytes: raw.compressedSize,
    unpackedBytes: raw.uncompressedSize,
    crc32: raw.crc32,
    executable: (mode & 0o111) !== 0,
    headerOffset: raw.relativeOffsetOfLocalHeader,
  }
}

// Checks the file type even when the archive claims to come from a system without file types, because an attacker can
// write any claim.
function checkType(name: string, type: number, isFolder: boolean): void {
  const expected = isFolder ? FOLDER : REGULAR
  if (type === 0 || type === expected) return
  refuse(name, REFUSED_TYPES.get(type) ?? `is marked as something else than a ${isFolder ? 'folder' : 'file'}`)
}
