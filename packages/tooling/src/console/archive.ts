import { ZipFile } from 'yazl'

/** Name of the program in the archive of a test build. */
export const PROGRAM = 'server.mjs'

/** Returns a ZIP archive of executable files; `files` contains the content by file name. */
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
