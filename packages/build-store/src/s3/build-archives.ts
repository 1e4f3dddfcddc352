import { open } from 'node:fs/promises'
import {
  ArchiveMismatch,
  type ArchivePart,
  type FoundUpload,
  PayloadTooLarge,
  type ReceiveTerms,
  StorageUnavailable,
  type StoredArchive,
  type UploadTerms,
  UploadUnderway,
  type UrlTerms,
} from '@matchyard/core/ports'
import { ArchiveRefused } from '../kit/index'
import { readPart } from '../kit/read-part'
import { ArchiveCache, type CacheDraft } from './archive-cache'
import { Bucket } from './bucket'
import { Keys } from './keys'
import { Objects } from './objects'
import { DEFAULT_CACHE_BYTES, type S3BuildStoreOptions } from './options'
import { type Written, writeChunks } from './write-chunks'

/**
 * Age of an upload in milliseconds, after which a cleanup removes it. No upload URL is valid for nearly as long, so
 * such an upload arrived after its build had an archive.
 */
export const STALE_UPLOAD_MS = 24 * 60 * 60 * 1_000
/** Milliseconds between two cleanups of uploads. Every node lists all uploads, so once an hour is enough. */
export const SWEEP_EVERY_MS = 60 * 60 * 1_000
/** Most builds for which the name (SHA-256) of their archive is remembered; the name never changes. */
const REMEMBERED = 10_000

/**
 * The archives of builds in a bucket. The key of an archive contains the build's id and the archive's SHA-256; an
 * archive is stored once and never changed. An upload by URL has another key at first. The service reads the upload,
 * claims it for the build and copies it to the archive's key.
 */
export class BuildArchives {
  private readonly objects: Objects
  private readonly cache: ArchiveCache
  private readonly keys: Keys
  private readonly names = new Map<string, string>()
  private readonly receiving = new Set<string>()
  /**
   * The first value is the present time, not 0. If every node was down for a day, uploads of that time must be handled
   * before a cleanup removes them.
   */
  private sweptAt = Date.now()

  constructor(options: S3BuildStoreOptions) {
    this.objects = new Objects(new Bucket(options))
    this.cache = new ArchiveCache(options.cacheDirectory, options.cacheBytes ?? DEFAULT_CACHE_BYTES)
    this.keys = new Keys(options.prefix ?? '')
  }

  uploadUrl(buildId: string, { at, expiresAt, sizeBytes, sha256 }: UploadTerms): Promise<string> {
    // A store that supports this header and the length refuses a wrong body during the upload. Other stores accept a
    // wrong body, and the service refuses it when it reads the upload.
    const checksum = sha256 === null ? {} : { 'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64') }
    return this.objects.bucket.signedUrl('PUT', this.keys.upload(buildId), {
      at,
      seconds: Math.ceil((expiresAt - at) / 1_000),
      query: checksum,
      headers: sizeBytes === null ? {} : { 'content-length': String(sizeBytes) },
    })
  }

  arrived(buildId: string): Promise<FoundUpload | undefined> {
    return this.objects.find(this.keys.upload(buildId))
  }

  keep(buildId: string, found: FoundUpload, claim: (sha256: string) => Promise<void>): Promise<'kept' | 'gone'> {
    const upload = this.keys.upload(buildId)
    return this.cache.drafting(async (draft) => {
      const read = await this.objects.download(upload, draft.path, { tag: found.tag, begin: draft.makeRoom })
      if (read === undefined) return 'gone'
      await claim(read.sha256)
      const key = this.keys.archive(buildId, read.sha256)
      const isThere = (await this.objects.find(key))?.sizeBytes === read.bytes
      // Another upload may have replaced this upload at the URL. In that case the service sends the bytes that it read.
      if (!isThere && !(await this.objects.copy(upload, key, found.tag))) {
        await this.objects.upload(key, { path: draft.path, ...read })
      }
      this.remember(buildId, read.sha256)
      await this.cache.take(read.sha256, draft)
      // If this removal fails, the next cleanup removes the upload.
      await this.objects.remove(upload).catch(() => {})
      return 'kept'
    })
  }

  async receive(
    buildId: string,
    body: AsyncIterable<Uint8Array>,
    terms: ReceiveTerms,
  ): Promise<{ bytes: number; sha256: string }> {
    if (this.receiving.has(buildId)) throw new UploadUnderway('another upload of this build is under way')
    this.receiving.add(buildId)
    try {
      return await this.cache.drafting(async (draft) => {
        const read = await writeBody(draft, body, terms)
        // An earlier upload may have reached the store although its answer was lost. It is removed, because a build has
        // only one archive.
        await this.removeArchives(buildId)
        await this.objects.upload(this.keys.archive(buildId, read.sha256), { path: draft.path, ...read })
        this.remember(buildId, read.sha256)
        await this.cache.take(read.sha256, draft)
        return { bytes: read.bytes, sha256: read.sha256 }
      })
    } finally {
      this.receiving.delete(buildId)
    }
  }

  /**
   * Returns the SHA-256 of a build's archive, from a list of the bucket's objects; undefined when the build has no
   * archive.
   */
  async nameOf(buildId: string): Promise<string | undefined> {
    let newest: { sha256: string; at: number } | undefined
    for await (const { key, modifiedAt: at } of this.objects.list(this.keys.archives(buildId))) {
      const sha256 = this.keys.contentOf(key)
      if (sha256 !== undefined && (newest === undefined || at > newest.at)) newest = { sha256, at }
    }
    if (newest === undefined) this.names.delete(buildId)
    else this.remember(buildId, newest.sha256)
    return newest?.sha256
  }

  /**
   * Returns the size and the SHA-256 of a build's archive, and with terms a URL that gives it; undefined when the build
   * has no archive.
   */
  async locate(buildId: string, terms: UrlTerms | undefined): Promise<StoredArchive | undefined> {
    const sha256 = await this.nameOf(buildId)
    if (sha256 === undefined) return undefined
    const key = this.keys.archive(buildId, sha256)
    const found = await this.objects.find(key)
    if (found === undefined) return undefined
    const url = terms === undefined ? null : await this.downloadUrl(key, terms)
    return { sizeBytes: found.sizeBytes, sha256, url }
  }

  private downloadUrl(key: string, { at, expiresAt }: UrlTerms): Promise<string> {
    const seconds = Math.ceil((expiresAt - at) / 1_000)
    return this.objects.bucket.signedUrl('GET', key, { at, seconds, query: {}, headers: {} })
  }

  /** Reads a part of a build's archive, from the copy on this machine. */
  async *read(buildId: string, part: ArchivePart): AsyncGenerator<Uint8Array> {
    // An open file can be read to its end, also after the cache has removed its name.
    const handle = await this.using(buildId, (file) => open(file))
    if (handle === undefined) throw new StorageUnavailable(`build ${buildId} has no archive`)
    yield* readPart(handle, part)
  }

  /**
   * Runs `work` with the path of the archive's file. Returns undefined when the build has no archive. Throws
   * ArchiveRefused when the archive's content is not the uploaded content.
   */
  async using<T>(buildId: string, work: (file: string) => Promise<T>): Promise<T | undefined> {
    const sha256 = this.names.get(buildId) ?? (await this.nameOf(buildId))
    if (sha256 === undefined) return undefined
    try {
      return await this.cache.using(sha256, (draft) => this.fetch(buildId, sha256, draft), work)
    } catch (error) {
      // The copy on this machine or the object in the bucket is damaged. The copy is removed, so that the next call
      // fetches the archive again.
      if (error instanceof ArchiveRefused) {
        this.names.delete(buildId)
        await this.cache.drop(sha256)
      }
      throw error
    }
  }

  async remove(buildId: string): Promise<void> {
    this.names.delete(buildId)
    await this.removeArchives(buildId)
    await this.objects.remove(this.keys.upload(buildId))
  }

  async sweep(): Promise<void> {
    await this.cache.sweep()
    const now = Date.now()
    if (now - this.sweptAt < SWEEP_EVERY_MS) return
    for await (const { key, modifiedAt } of this.objects.list(this.keys.uploads)) {
      if (now - modifiedAt > STALE_UPLOAD_MS) await this.objects.remove(key)
    }
    this.sweptAt = now
  }

  private async fetch(buildId: string, sha256: string, { path, makeRoom }: CacheDraft): Promise<void> {
    const read = await this.objects.download(this.keys.archive(buildId, sha256), path, { begin: makeRoom })
    if (read === undefined) throw new ArchiveRefused(`build ${buildId} has no archive any more`)
    if (read.sha256 === sha256) return
    throw new ArchiveRefused(
      `the archive of build ${buildId} in ${this.objects.bucket.place} is not what was uploaded: its SHA-256 is ${read.sha256}`,
    )
  }

  private async removeArchives(buildId: string): Promise<void> {
    const found = []
    for await (const { key } of this.objects.list(this.keys.archives(buildId))) found.push(key)
    for (const key of found) {
      await this.objects.remove(key)
      const sha256 = this.keys.contentOf(key)
      if (sha256 !== undefined) await this.cache.drop(sha256)
    }
  }

  private remember(buildId: string, sha256: string): void {
    this.names.delete(buildId)
    this.names.set(buildId, sha256)
    const [oldest] = this.names.keys()
    if (this.names.size > REMEMBERED && oldest !== undefined) this.names.delete(oldest)
  }
}

async function writeBody(
  { path, makeRoom }: CacheDraft,
  body: AsyncIterable<Uint8Array>,
  { maxBytes, sha256: wanted }: ReceiveTerms,
): Promise<Written> {
  const { bytes, sha256 } = await writeChunks(path, body, (length) => {
    if (length > maxBytes) throw new PayloadTooLarge(`the archive is larger than ${maxBytes} bytes`)
  })
  if (wanted !== undefined && wanted !== sha256) throw new ArchiveMismatch(sha256, wanted)
  await makeRoom(bytes)
  return { bytes, sha256 }
}
