import { ZipFile } from 'yazl'

/** Name of the program in an archive. */
export const PROGRAM = 'server.mjs'

/** Returns an archive of these executable files with their contents. */
export async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(text), name, { mode: 0o100755, mtime: new Date(0) })
  }
  zip.end()
  const parts: Buffer[] = []
  for await (const part of zip.outputStream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
