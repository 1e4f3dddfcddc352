import { readdir, readFile, readlink } from 'node:fs/promises'
import { endianness } from 'node:os'
import type { Protocol } from '@matchyard/core'
import { hasCode } from './system-errors'

/** A socket on which somebody waits for players, as the kernel lists it. */
export interface BoundSocket {
  readonly protocol: Protocol
  readonly port: number
  /** As one writes it, in IPv4; 32 hexadecimal digits in IPv6. */
  readonly address: string
  /** Names the socket among the open files of whoever has it. */
  readonly inode: string
}

/** TCP that listens; UDP that is connected to nobody. */
const WAITING_STATE: Record<Protocol, string> = { tcp: '0A', udp: '07' }
const TABLES = [
  ['udp', 'udp'],
  ['udp6', 'udp'],
  ['tcp', 'tcp'],
  ['tcp6', 'tcp'],
] as const
const COLUMN = { local: 1, state: 3, inode: 9 } as const

const IPV4_BYTES = 4

/** The kernel writes an address as the numbers that it is in its memory, four bytes at a time. IPv4 is answered with dots, IPv6 in hexadecimal. */
function addressOf(text: string): string {
  const bytes = (text.match(/.{8}/g) ?? []).flatMap((word) => {
    const four = [...Buffer.from(word, 'hex')]
    return endianness() === 'LE' ? four.reverse() : four
  })
  const isMapped = bytes.length > IPV4_BYTES && Buffer.from(bytes).toString('hex').startsWith(MAPPED)
  const short = isMapped ? bytes.slice(-IPV4_BYTES) : bytes
  return short.length === IPV4_BYTES ? short.join('.') : Buffer.from(short).toString('hex')
}

/** ::ffff:0:0/96, and ::1. */
const MAPPED = `${'0'.repeat(20)}ffff`
const IPV6_LOOPBACK = `${'0'.repeat(31)}1`

/** What waits for players in one table of the kernel. */
export function parseSocketTable(text: string, protocol: Protocol): BoundSocket[] {
  return text.split('\n').flatMap((row) => {
    const columns = row.trim().split(/\s+/)
    const [address, port] = (columns[COLUMN.local] ?? '').split(':')
    const inode = columns[COLUMN.inode]
    if (columns[COLUMN.state] !== WAITING_STATE[protocol] || address === undefined || port === undefined) return []
    if (inode === undefined) return []
    return [{ protocol, port: Number.parseInt(port, 16), address: addressOf(address), inode }]
  })
}

/** Only who is in the same network namespace gets through to it. */
export const isOnLoopback = ({ address }: BoundSocket): boolean =>
  address.startsWith('127.') || address === IPV6_LOOPBACK

/** Everything that waits for players in the network namespace of a process; undefined where it cannot be read. */
export async function socketsAround(pid: number): Promise<BoundSocket[] | undefined> {
  try {
    const tables = await Promise.all(
      TABLES.map(async ([table, protocol]) => {
        const text = await readFile(`/proc/${pid}/net/${table}`, 'utf8').catch((error: unknown) => {
          // A machine without IPv6 has two of them.
          if (table.endsWith('6') && hasCode(error, 'ENOENT')) return ''
          throw error
        })
        return parseSocketTable(text, protocol)
      }),
    )
    return tables.flat()
  } catch {
    return undefined
  }
}

/** A process and whatever it started that still is its descendant; itself alone where the kernel does not list children. */
export async function familyOf(pid: number): Promise<number[]> {
  const family = [pid]
  for (const one of family) {
    const threads = await readdir(`/proc/${one}/task`).catch(() => [])
    const lists = await Promise.all(
      threads.map((thread) => readFile(`/proc/${one}/task/${thread}/children`, 'utf8').catch(() => '')),
    )
    family.push(
      ...lists.flatMap((list) =>
        list
          .split(' ')
          .filter((child) => child !== '')
          .map(Number),
      ),
    )
  }
  return family
}

/** The sockets among the open files of these processes; undefined where one may not look. Those that have ended have none. */
export async function openSockets(pids: readonly number[]): Promise<ReadonlySet<string> | undefined> {
  const inodes = new Set<string>()
  try {
    for (const pid of new Set(pids)) for (const inode of await socketsOf(pid)) inodes.add(inode)
    return inodes
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM')) return undefined
    throw error
  }
}

async function socketsOf(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`
  const gone = (error: unknown) => {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return undefined
    throw error
  }
  const files = (await readdir(folder).catch(gone)) ?? []
  const targets = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(gone)))
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target ?? '')?.[1] ?? [])
}
