import { createHash } from 'node:crypto'
import { copiedTag, type ListedObject, type ObjectList, objectList, plainTag } from './answers'
import type { Bucket, S3Answer } from './bucket'
import { S3Refused } from './s3-errors'
import { type Written, writeChunks } from './write-chunks'

export interface FoundObject {
  readonly sizeBytes: number
  readonly tag: string
}

/** Most pages of one list that are read; a page has at most a thousand objects. */
const MAX_PAGES = 1_000

/** The operations on the objects of a bucket that a build store needs. Every operation throws S3Refused. */
export class Objects {
  constructor(readonly bucket: Bucket) {}

  /** Returns the size and the entity tag of an object; undefined when the object does not exist. */
  async find(key: string): Promise<FoundObject | undefined> {
    const answer = await this.bucket.ask('HEAD', key, {}, [404])
    await answer.discard()
    if (answer.status === 404) return undefined
    const tag = tagOf(answer.headers)
    // An answer without a tag is refused. A server that is not an S3 store may answer every request, for example with a
    // page "back soon", and every upload would then seem to have arrived.
    if (tag === '') throw this.notS3('HEAD')
    return { sizeBytes: Number(answer.headers.get('content-length') ?? 0), tag }
  }

  /**
   * Yields all objects with a prefix. Throws S3Refused after a million objects, because a list that ends early would
   * look complete.
   */
  async *list(prefix: string): AsyncGenerator<ListedObject> {
    let next: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const found = await this.page(prefix, next === undefined ? {} : { 'continuation-token': next })
      yield* found.objects
      next = found.next
      if (next === undefined) return
    }
    throw new S3Refused(`${this.bucket.place} lists more than ${MAX_PAGES} pages`, 'TooMany', undefined)
  }

  /** Returns the first objects with a prefix, at most a thousand, in the order of their keys, with keys after `after`. */
  async listAfter(prefix: string, after: string): Promise<readonly ListedObject[]> {
    return (await this.page(prefix, { 'start-after': after })).objects
  }

  private async page(prefix: string, from: Readonly<Record<string, string>>): Promise<ObjectList> {
    const query = { 'list-type': '2', prefix, ...from }
    const found = objectList(await (await this.bucket.ask('GET', '', { query })).text())
    // An answer that is not a list is refused. An empty result would mean that a build has no archive, and the
    // service would not ask again.
    if (found === undefined) throw this.notS3('GET')
    return found
  }

  /** Returns the content of a small object as text; undefined when the object does not exist. */
  async text(key: string): Promise<string | undefined> {
    const answer = await this.get(key, {})
    if (answer.status < 300) return answer.text()
    const refusal = await this.bucket.refusalOf(answer, 'GET')
    if (refusal.code === 'NoSuchKey') return undefined
    throw refusal
  }

  /** Stores a text as an object, in place of an earlier object of the same key. */
  async putText(key: string, text: string): Promise<void> {
    const bytes = Buffer.from(text)
    const content = { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
    await (await this.bucket.ask('PUT', key, { headers: { 'content-type': 'application/json' }, content })).discard()
  }

  /**
   * Writes an object to a file as a stream and returns its size and SHA-256. Returns undefined when the object does not
   * exist, or when it no longer has the entity tag `tag`. Calls `begin` with the number of bytes before the first byte
   * is written.
   */
  async download(
    key: string,
    file: string,
    { tag, begin }: { readonly tag?: string; readonly begin: (bytes: number) => Promise<void> },
  ): Promise<Written | undefined> {
    const headers = tag === undefined ? {} : { 'if-match': `"${tag}"` }
    const answer = await this.get(key, headers)
    if (answer.status === 404) {
      const refusal = await this.bucket.refusalOf(answer, 'GET')
      // Only the code NoSuchKey shows that the object does not exist. A missing bucket, or a proxy without a route,
      // also answers 404.
      if (refusal.code === 'NoSuchKey') return undefined
      throw refusal
    }
    const isThere = answer.status < 300 && (tag === undefined || tagOf(answer.headers) === tag)
    const told = Number(answer.headers.get('content-length') ?? 0)
    if (!isThere) {
      await answer.discard()
      return undefined
    }
    const faultAfter = (bytes: number) =>
      new S3Refused(`${this.bucket.place} broke off after ${bytes} bytes of ${told}`, 'Short', undefined)
    try {
      await begin(told)
      // Without this check, a store that sends more bytes than it announced could fill the disk.
      const written = await writeChunks(file, answer.body(), (bytes) => {
        if (bytes > told) throw faultAfter(bytes)
      })
      if (written.bytes < told) throw faultAfter(written.bytes)
      return written
    } finally {
      await answer.discard()
    }
  }

  /**
   * Returns the answer to a GET request for an object, without decoding. The uploader may have set a content encoding;
   * `fetch` would then decode the body, and its length would differ from the announced length.
   */
  private async get(key: string, headers: Readonly<Record<string, string>>): Promise<S3Answer> {
    const answer = await this.bucket.ask('GET', key, { headers }, [404, 412])
    if (answer.headers.get('content-encoding') === null) return answer
    await answer.discard()
    const query = { 'response-content-encoding': 'identity' }
    return this.bucket.ask('GET', key, { query, headers }, [404, 412])
  }

  /**
   * Copies the object with the entity tag `tag` inside the store. Returns true only when exactly that object was
   * copied. Some stores cannot copy, or send no answer for too long while they copy a large object; S3 copies at most 5
   * GiB.
   */
  async copy(from: string, to: string, tag: string): Promise<boolean> {
    try {
      return await this.copied(from, to, tag)
    } catch (error) {
      if (error instanceof S3Refused) return false
      throw error
    }
  }

  private async copied(from: string, to: string, tag: string): Promise<boolean> {
    const source = ['', this.bucket.name, ...from.split('/')].map(encodeURIComponent).join('/')
    const headers = { 'x-amz-copy-source': source, 'x-amz-copy-source-if-match': `"${tag}"` }
    const answer = await this.bucket.ask('PUT', to, { headers }, [404, 412])
    // The tag of an object is the MD5 of its content, so the tags of both objects are equal after a correct copy. If
    // the store encrypts with its own keys, tags cannot be compared, and the copy does not count as certain.
    return answer.status < 300 && plainTag(copiedTag(await answer.text()) ?? '') === tag
  }

  async upload(key: string, file: { readonly path: string; readonly bytes: number; readonly sha256: string }) {
    const headers = { 'content-type': 'application/zip' }
    await (await this.bucket.ask('PUT', key, { file, headers })).discard()
  }

  /** Removes an object. A missing object is not an error. */
  async remove(key: string): Promise<void> {
    await (await this.bucket.ask('DELETE', key, {}, [404])).discard()
  }

  private notS3(method: string): S3Refused {
    return new S3Refused(`${this.bucket.place} answers ${method} with something else than S3`, 'NotS3', undefined)
  }
}

const tagOf = (headers: Headers): string => plainTag(headers.get('etag') ?? '')
