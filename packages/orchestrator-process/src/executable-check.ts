import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { join } from 'node:path'

const HEAD_BYTES = 64 * 1024
const ELF = Buffer.from('\x7fELF', 'latin1')
const MACHINES: Readonly<Partial<Record<string, number>>> = { x64: 62, arm64: 183 }
const PT_INTERP = 3

/** What the game server will find: its PATH, and which files of the machine it sees. */
export interface Surroundings {
  readonly path: string
  sees(file: string): boolean
}

/**
 * Why the system could not run this file, as a sentence, or undefined.
 * Asked beforehand because the C library would hand a text without an interpreter line to a shell.
 */
export async function executableFault(file: string, shown: string, around: Surroundings): Promise<string | undefined> {
  const head = await readHead(file)
  if (head === undefined) return `${shown} is not a regular file`
  if (head.toString('latin1', 0, 2) === '#!') return scriptFault(head, shown, around)
  if (head.subarray(0, 4).equals(ELF)) return elfFault(head, shown, around)
  return `${shown} is not an executable format: neither an ELF program nor a script with an interpreter line`
}

async function scriptFault(head: Buffer, shown: string, around: Surroundings): Promise<string | undefined> {
  const line = head.toString('utf8', 2).split('\n', 1)[0] ?? ''
  if (line.endsWith('\r')) return `${shown} has Windows line endings, which its interpreter line cannot have`
  const [interpreter = '', argument] = line.trim().split(/[ \t]+/)
  if (!(await runs(interpreter, around))) return `the interpreter ${interpreter || '(none)'} of ${shown} is not there`
  const viaPath = interpreter.endsWith('/env') && argument !== undefined && !argument.startsWith('-')
  if (!viaPath || argument.includes('=')) return undefined
  for (const folder of around.path.split(':')) if (await runs(join(folder, argument), around)) return undefined
  return `the interpreter "${argument}" of ${shown} is not on the PATH`
}

async function elfFault(head: Buffer, shown: string, around: Surroundings): Promise<string | undefined> {
  if (head.length < 64) return `${shown} is a damaged ELF program`
  const machine = MACHINES[process.arch]
  if (machine === undefined || head[4] !== 2 || head[5] !== 1) return undefined // not a 64-bit little-endian one: let it try
  if (head.readUInt16LE(18) !== machine) return `${shown} is built for another processor than ${process.arch}`
  const interpreter = elfInterpreter(head)
  if (interpreter === undefined || (await runs(interpreter, around))) return undefined
  return `the loader ${interpreter} of ${shown} is not there (built for another C library?)`
}

/** The dynamic loader that the program header names; undefined for a static program. */
function elfInterpreter(head: Buffer): string | undefined {
  const start = Number(head.readBigUInt64LE(32))
  const size = head.readUInt16LE(54)
  const count = head.readUInt16LE(56)
  for (let i = 0; i < count; i++) {
    const row = start + i * size
    if (row + 56 > head.length) return undefined
    if (head.readUInt32LE(row) !== PT_INTERP) continue
    const from = Number(head.readBigUInt64LE(row + 8))
    const length = Number(head.readBigUInt64LE(row + 32))
    return from + length > head.length ? undefined : head.toString('utf8', from, from + length - 1)
  }
  return undefined
}

async function runs(file: string, around: Surroundings): Promise<boolean> {
  if (!file.startsWith('/') || !around.sees(file)) return false
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}

async function readHead(file: string): Promise<Buffer | undefined> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isFile() !== true) return undefined
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
