import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ArchiveMismatch, PayloadTooLarge, type ReceiveTerms, UploadUnderway } from '@matchyard/core/ports'
import { errorCode } from '../kit/index'
import type { Drafts } from './drafts'

/**
 * Writes the stream to a draft beside `<buildId>.zip`, then renames the draft to that name in one step. Throws
 * PayloadTooLarge and ArchiveMismatch. Throws UploadUnderway before it reads the stream, or at the end when another
 * process removed the upload's draft. A stream that breaks off leaves no file.
 */
export async function receive(
  drafts: Drafts,
  buildId: string,
  body: AsyncIterable<Uint8Array>,
  terms: ReceiveTerms,
): Promise<{ bytes: number; sha256: string }> {
  const draft = drafts.pathOf(buildId)
  const folder = dirname(draft)
  const release = drafts.hold(draft)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const handle = await begin(drafts, draft)
    try {
      const written = await writeStream(handle, body, terms)
      if (!(await isStill(handle, draft))) throw new UploadUnderway('taken for dead, and another one was begun')
      await rename(draft, join(folder, `${buildId}.zip`))
      await syncFolder(folder)
      return written
    } catch (error) {
      if (await isStill(handle, draft)) await rm(draft, { force: true })
      throw error
    } finally {
      await handle.close()
    }
  } finally {
    release()
  }
}

/** Creates the draft. The draft is also the lock of the upload: only one of several nodes can create the file. */
async function begin(drafts: Drafts, draft: string): Promise<FileHandle> {
  for (let tries = 0; ; tries++) {
    try {
      return await open(draft, 'wx', 0o600)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
      if (tries > 0 || !(await drafts.isDead(draft)))
        throw new UploadUnderway('another upload of this build is under way')
      await rm(draft, { recursive: true, force: true })
    }
  }
}

async function writeStream(
  handle: FileHandle,
  body: AsyncIterable<Uint8Array>,
  { maxBytes, sha256 }: ReceiveTerms,
): Promise<{ bytes: number; sha256: string }> {
  let bytes = 0
  const hash = createHash('sha256')
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new PayloadTooLarge(`the archive is larger than ${maxBytes} bytes`)
    hash.update(chunk)
    await writeFully(handle, chunk)
  }
  const found = hash.digest('hex')
  if (sha256 !== undefined && found !== sha256) throw new ArchiveMismatch(found, sha256)
  await handle.sync()
  return { bytes, sha256: found }
}

/**
 * Whether the path still leads to the file that this upload wrote. A cleanup may have removed the draft of an upload
 * that received no data for minutes.
 */
async function isStill(handle: FileHandle, path: string): Promise<boolean> {
  const named = await stat(path).catch(() => undefined)
  return named !== undefined && named.ino === (await handle.stat()).ino
}

async function writeFully(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    done += (await handle.write(chunk, done)).bytesWritten
  }
}

// Makes the rename survive a power failure. Some systems cannot open a folder; there the system decides when the rename
// reaches the disk.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
