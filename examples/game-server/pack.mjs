// Packs the folder `server/` as the ZIP for an upload. Run as a program, it writes game-server.zip.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ZipFile } from 'yazl'

const ROOT = fileURLToPath(new URL('./server', import.meta.url))
// Fixed time of all files, so that equal sources give equal bytes.
const PACKED_AT = new Date('2026-01-01T00:00:00Z')

export const EXECUTABLE_PATH = 'server.mjs'

export const NETWORK_PORTS = [
  { name: 'game', protocol: 'udp', internal_port: 7777 },
  { name: 'control', protocol: 'tcp', internal_port: 7778 },
]

export async function packGameServer(folder = ROOT) {
  const zip = new ZipFile()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
  for (const file of files.sort()) {
    const name = relative(folder, file).split('\\').join('/')
    const mode = name === EXECUTABLE_PATH ? 0o100755 : 0o100644
    zip.addBuffer(await readFile(file), name, { mode, mtime: PACKED_AT })
  }
  zip.end()
  const chunks = []
  for await (const chunk of zip.outputStream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const archive = await packGameServer()
  await writeFile('game-server.zip', archive)
  console.log(`game-server.zip: ${archive.length} bytes, executable_path ${EXECUTABLE_PATH}`)
}
