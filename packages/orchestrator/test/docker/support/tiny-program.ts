const BASE = 0x400000
const HEADERS = 64 + 56

const CODE: Readonly<Record<string, (exitCode: number) => Buffer>> = {
  // mov edi, code; mov eax, 60; syscall
  x64: (code) => Buffer.from([0xbf, code, 0, 0, 0, 0xb8, 60, 0, 0, 0, 0x0f, 0x05]),
  // mov x0, code; mov x8, 93; svc 0
  arm64: (code) => words(0xd2800000 + code * 32, 0xd2800000 + 93 * 32 + 8, 0xd4000001),
}
const MACHINE: Readonly<Record<string, number>> = { x64: 62, arm64: 183 }

/** Returns a static program of a few bytes that exits with a code: the smallest content of an image that runs. */
export function tinyProgram(exitCode: number, architecture: string = process.arch): Buffer {
  const code = CODE[architecture]?.(exitCode)
  if (code === undefined) throw new Error(`no tiny program for ${architecture}`)
  const size = HEADERS + code.length
  const head = Buffer.alloc(HEADERS)
  head.write('\x7fELF\x02\x01\x01', 0, 'latin1')
  head.writeUInt16LE(2, 16) // executable
  head.writeUInt16LE(MACHINE[architecture] ?? 0, 18)
  head.writeUInt32LE(1, 20)
  head.writeBigUInt64LE(BigInt(BASE + HEADERS), 24) // entry
  head.writeBigUInt64LE(64n, 32) // program headers
  head.writeUInt16LE(64, 52)
  head.writeUInt16LE(56, 54)
  head.writeUInt16LE(1, 56)
  head.writeUInt32LE(1, 64) // load
  head.writeUInt32LE(5, 68) // read, execute
  for (const at of [80, 88]) head.writeBigUInt64LE(BigInt(BASE), at)
  for (const at of [96, 104]) head.writeBigUInt64LE(BigInt(size), at)
  head.writeBigUInt64LE(4096n, 112)
  return Buffer.concat([head, code])
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, i) => {
    bytes.writeUInt32LE(value, i * 4)
  })
  return bytes
}
