import { opendir, readdir, readlink } from 'node:fs/promises'
import { endianness } from 'node:os'
import type { Transport } from '@matchyard/core'
import { readAtMost } from './read-at-most'
import { hasCode } from './system-errors'

/** The most bytes that are read of one kernel table: about 50,000 sockets. Sockets beyond these bytes are ignored. */
const TABLE_BYTES = 8 * 1024 * 1024
/**
 * The most processes of one game server that are checked, and the most open files of these processes in total. A
 * hostile server may have millions of them.
 */
const FAMILY = 4_096
const OPEN_FILES = 16_384
/** Number of a process's open files that are read concurrently. */
const FILES_AT_ONCE = 64
/**
 * The most bytes that are read of one list of child processes; so many bytes hold more process ids than are checked.
 */
const CHILDREN_BYTES = 64 * 1024

/** A listening TCP socket or an unconnected UDP socket, from the kernel's tables. */
export interface BoundSocket {
  readonly protocol: Transport
  readonly port: number
  /** The address: IPv4 with dots, IPv6 as 32 hexadecimal digits. */
  readonly address: string
  /** The inode number, which identifies the socket among the open files of a process. */
  readonly inode: string
}

/** The kernel's state codes of a listening TCP socket and of an unconnected UDP socket. */
const WAITING_STATE: Record<Transport, string> = { tcp: '0A', udp: '07' }
const TABLES = [
  ['udp', 'udp'],
  ['udp6', 'udp'],
  ['tcp', 'tcp'],
  ['tcp6', 'tcp'],
] as const
const COLUMN = { local: 1, state: 3, inode: 9 } as const

const IPV4_BYTES = 4

/**
 * Parses an address in the kernel's form: 32-bit words in the machine's byte order. Returns IPv4 with dots, IPv6 in
 * hexadecimal.
 */
function addressOf(text: string): string {
  const bytes = (text.match(/.{8}/g) ?? []).flatMap((word) => {
    const four = [...Buffer.from(word, 'hex')]
    return endianness() === 'LE' ? four.reverse() : four
  })
  const isMapped = bytes.length > IPV4_BYTES && Buffer.from(bytes).toString('hex').startsWith(MAPPED)
  const short = isMapped ? bytes.slice(-IPV4_BYTES) : bytes
  return short.length === IPV4_BYTES ? short.join('.') : Buffer.from(short).toString('hex')
}

/** The prefix of IPv4-mapped addresses (::ffff:0:0/96), and the IPv6 loopback address (::1). */
const MAPPED = `${'0'.repeat(20)}ffff`
const IPV6_LOOPBACK = `${'0'.repeat(31)}1`

/** Returns the sockets of one kernel table that can receive connections or datagrams of players. */
export function parseSocketTable(text: string, protocol: Transport): BoundSocket[] {
  return text.split('\n').flatMap((row) => {
    const columns = row.trim().split(/\s+/)
    const [address, port] = (columns[COLUMN.local] ?? '').split(':')
    const inode = columns[COLUMN.inode]
    if (columns[COLUMN.state] !== WAITING_STATE[protocol] || address === undefined || port === undefined) return []
    if (inode === undefined) return []
    return [{ protocol, port: Number.parseInt(port, 16), address: addressOf(address), inode }]
  })
}

/**
 * Whether the socket is bound to a loopback address, so that only processes in the same network namespace can reach it.
 */
export const isOnLoopback = ({ address }: BoundSocket): boolean =>
  address.startsWith('127.') || address === IPV6_LOOPBACK

/**
 * Returns the bound sockets in the network namespace of a process, from the first `maxBytes` of each table. Returns
 * undefined when a table cannot be read.
 */
export async function socketsAround(pid: number, maxBytes = TABLE_BYTES): Promise<BoundSocket[] | undefined> {
  try {
    const tables = await Promise.all(
      TABLES.map(async ([table, protocol]) => {
        const text = await readAtMost(`/proc/${pid}/net/${table}`, maxBytes).catch((error: unknown) => {
          // A machine without IPv6 has only the two IPv4 tables.
          if (table.endsWith('6') && hasCode(error, 'ENOENT')) return Buffer.alloc(0)
          throw error
        })
        return parseSocketTable(text.toString('latin1'), protocol)
      }),
    )
    return tables.flat()
  } catch {
    return undefined
  }
}

/**
 * Returns the ids of a process and its descendants, at most `most`. Returns only the id of the process itself when the
 * kernel lists no children.
 */
export async function familyOf(pid: number, most = FAMILY): Promise<number[]> {
  const family = [pid]
  for (const one of family) {
    const threads = await readdir(`/proc/${one}/task`).catch(() => [])
    for (const thread of threads) {
      if (family.length >= most) return family
      const list = await readAtMost(`/proc/${one}/task/${thread}/children`, CHILDREN_BYTES).catch(() => '')
      const children = list
        .toString('latin1')
        .split(' ')
        .filter((child) => child !== '')
      family.push(...children.map(Number).slice(0, most - family.length))
    }
  }
  return family
}

/**
 * Returns the inodes of the sockets among the first `most` open files of the processes. Returns undefined when
 * permission is missing.
 */
export async function openSockets(
  pids: readonly number[],
  most = OPEN_FILES,
): Promise<ReadonlySet<string> | undefined> {
  const inodes = new Set<string>()
  let left = most
  try {
    for (const pid of new Set(pids)) {
      for await (const files of openFilesOf(pid)) {
        const some = files.slice(0, left)
        left -= some.length
        for (const inode of await socketsAmong(pid, some)) inodes.add(inode)
        if (left === 0) return inodes
      }
    }
    return inodes
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM')) return undefined
    throw error
  }
}

const unlessGone = (error: unknown): undefined => {
  if (!hasCode(error, 'ENOENT', 'ESRCH')) throw error
}

/** Yields the descriptor numbers of a process's open files, in batches of 64. */
async function* openFilesOf(pid: number): AsyncGenerator<string[]> {
  const folder = await opendir(`/proc/${pid}/fd`).catch(unlessGone)
  if (folder === undefined) return
  let some: string[] = []
  try {
    for await (const { name } of folder) {
      some.push(name)
      if (some.length < FILES_AT_ONCE) continue
      yield some
      some = []
    }
  } catch (error) {
    // The process has ended meanwhile.
    unlessGone(error)
  }
  yield some
}

async function socketsAmong(pid: number, files: readonly string[]): Promise<string[]> {
  const targets = await Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(unlessGone)))
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target ?? '')?.[1] ?? [])
}
