const ELF_MAGIC = Buffer.from('\x7fELF', 'latin1')
/** ELF machine numbers by the processor names of Node and of container engines. */
const ELF_MACHINES: Readonly<Record<string, number>> = { x64: 62, amd64: 62, arm64: 183 }
const PROGRAM_INTERPRETER = 3

/** Bytes of a program that are read: enough for its headers. */
export const HEAD_BYTES = 64 * 1024

/** The machine or image in which a program will run: its files, its PATH and its processor. */
export interface Surroundings {
  readonly path: string
  readonly architecture: string
  /** Whether the file at an absolute path exists in these surroundings and is executable. */
  runs(file: string): Promise<boolean>
  /** Words that an error uses for a missing file: `not there`, `not in the image`. */
  readonly absent: string
  /** Words that an error uses for the PATH: `the PATH`, `the PATH of the image`. */
  readonly pathName: string
}

/**
 * Returns the reason, as a sentence, why the kernel cannot run a program with these first bytes; undefined when it can.
 * The check happens before the launch for two reasons. The C library would run a text without an interpreter line in a
 * shell. Under an init process, a program that cannot run looks like a program that exited with code 126 or 127, and
 * the service would restart it again and again.
 */
export async function executableFault(
  head: Buffer | undefined,
  shown: string,
  around: Surroundings,
): Promise<string | undefined> {
  if (head === undefined) return `${shown} is not a regular file`
  if (head.toString('latin1', 0, 2) === '#!') return scriptFault(head, shown, around)
  if (head.subarray(0, 4).equals(ELF_MAGIC)) return programFault(head, shown, around)
  return `${shown} is not an executable format: neither an ELF program nor a script with an interpreter line`
}

async function scriptFault(head: Buffer, shown: string, around: Surroundings): Promise<string | undefined> {
  const line = head.toString('utf8', 2).split('\n', 1)[0] ?? ''
  if (line.endsWith('\r')) return `${shown} has Windows line endings, which its interpreter line cannot have`
  const [interpreter = '', word] = line.trim().split(/[ \t]+/)
  if (!interpreter.startsWith('/') || !(await around.runs(interpreter))) {
    return `the interpreter ${interpreter || '(none)'} of ${shown} is ${around.absent}`
  }
  const named = interpreter.endsWith('/env') && word !== undefined && !/^-|=/.test(word) ? word : undefined
  if (named === undefined || (await findOnPath(named, around)) !== undefined) return undefined
  return `the interpreter "${named}" of ${shown} is not on ${around.pathName}`
}

async function programFault(head: Buffer, shown: string, around: Surroundings): Promise<string | undefined> {
  if (head.length < 64) return `${shown} is a damaged ELF program`
  const machine = ELF_MACHINES[around.architecture]
  if (machine === undefined || head[4] !== 2 || head[5] !== 1) return undefined // unknown format: the launch decides
  if (head.readUInt16LE(18) !== machine) return `${shown} is built for another processor than ${around.architecture}`
  const loader = loaderOf(head)
  if (loader === undefined || (await around.runs(loader))) return undefined
  return `the loader ${loader} of ${shown} is ${around.absent} (built for another C library?)`
}

/** Returns the path of a program's dynamic loader; undefined for a static program. */
function loaderOf(head: Buffer): string | undefined {
  const [table, rowSize, rows] = [Number(head.readBigUInt64LE(32)), head.readUInt16LE(54), head.readUInt16LE(56)]
  for (let i = 0; i < rows; i++) {
    const row = table + i * rowSize
    if (row + 56 > head.length) return undefined
    if (head.readUInt32LE(row) !== PROGRAM_INTERPRETER) continue
    const from = Number(head.readBigUInt64LE(row + 8))
    const length = Number(head.readBigUInt64LE(row + 32))
    return from + length > head.length ? undefined : head.toString('utf8', from, from + length - 1)
  }
  return undefined
}

/**
 * Returns the path of the file that a command name without a slash finds on the PATH; undefined when no folder of the
 * PATH contains it.
 */
export async function findOnPath(name: string, around: Surroundings): Promise<string | undefined> {
  for (const folder of around.path.split(':')) {
    const file = `${folder === '' ? '.' : folder}/${name}`
    if (await around.runs(file)) return file
  }
  return undefined
}
