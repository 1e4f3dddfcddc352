const ELF_MAGIC = Buffer.from('\x7fELF', 'latin1')
/** By the names that Node and container engines have for them. */
const ELF_MACHINES: Readonly<Record<string, number>> = { x64: 62, amd64: 62, arm64: 183 }
const PROGRAM_INTERPRETER = 3

/** Of a program so much is looked at: enough for its headers. */
export const HEAD_BYTES = 64 * 1024

/** Where a program is to run: which files are there, what its PATH is, for which processor it must be built. */
export interface Surroundings {
  readonly path: string
  readonly architecture: string
  /** Whether a file, named from the root, is there for the program and may be run. */
  runs(file: string): Promise<boolean>
  /** How to say that a file is not there: `not there`, `not in the image`. */
  readonly absent: string
  /** How to say which PATH it is: `the PATH`, `the PATH of the image`. */
  readonly pathName: string
}

/**
 * Why the kernel could not run a program, given its first bytes, as a sentence, or undefined. Asked beforehand: the C library would
 * hand a text without an interpreter line to a shell, and under an init process a program that cannot be run looks like one that
 * ended with code 126 or 127, and would be tried again and again.
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
  if (machine === undefined || head[4] !== 2 || head[5] !== 1) return undefined // neither of the two we know: let it try
  if (head.readUInt16LE(18) !== machine) return `${shown} is built for another processor than ${around.architecture}`
  const loader = loaderOf(head)
  if (loader === undefined || (await around.runs(loader))) return undefined
  return `the loader ${loader} of ${shown} is ${around.absent} (built for another C library?)`
}

/** The dynamic loader that a program asks for; undefined for a static one. */
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

/** The file that a bare command name means. */
export async function findOnPath(name: string, around: Surroundings): Promise<string | undefined> {
  for (const folder of around.path.split(':')) {
    const file = `${folder === '' ? '.' : folder}/${name}`
    if (await around.runs(file)) return file
  }
  return undefined
}
