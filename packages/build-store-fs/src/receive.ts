import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PayloadTooLarge } from '@matchyard/core'

/** Writes the stream beside `file` and moves it there whole. Throws PayloadTooLarge; a broken stream leaves nothing. */
export async function receive(
  file: string,
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ bytes: number }> {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const partial = join(folder, `${randomUUID()}.part`)
  try {
    const bytes = await writeStream(partial, body, maxBytes)
    await rename(partial, file)
    await syncFolder(folder)
    return { bytes }
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function writeStream(path: string, body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<number> {
  const handle = await open(path, 'wx', 0o600)
  try {
    let bytes = 0
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new PayloadTooLarge(`the archive is larger than ${maxBytes} bytes`)
      await writeFully(handle, chunk)
    }
    await handle.sync()
    return bytes
  } finally {
    await handle.close()
  }
}

async function writeFully(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    done += (await handle.write(chunk, done)).bytesWritten
  }
}

// The rename itself must survive a power cut. Not every system lets a folder be opened; there it is the system's matter.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
