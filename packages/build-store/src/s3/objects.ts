import { copiedTag, type ListedObject, objectList, plainTag } from './answers'
import type { Bucket, S3Answer } from './bucket'
import { S3Refused } from './s3-errors'
import { type Written, writeChunks } from './write-chunks'

export interface FoundObject {
  readonly sizeBytes: number
  readonly tag: string
}

/** Pages of one list that are read at the most: a thousand objects each. */
const MAX_PAGES = 1_000

/** What a store of builds does with the objects of a bucket. Every call throws S3Refused. */
export class Objects {
  constructor(readonly bucket: Bucket) {}

  /** undefined where there is none. */
  async find(key: string): Promise<FoundObject | undefined> {
    const answer = await this.bucket.ask('HEAD', key, {}, [404])
    await answer.discard()
    if (answer.status === 404) return undefined
    const tag = tagOf(answer.headers)
    // Whoever answers everything, a page that says "back soon" perhaps, would have every upload arrived.
    if (tag === '') throw this.notS3('HEAD')
    return { sizeBytes: Number(answer.headers.get('content-length') ?? 0), tag }
  }

  /** Everything below a prefix. */
  async *list(prefix: string): AsyncGenerator<ListedObject> {
    let next: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = { 'list-type': '2', prefix, ...(next === undefined ? {} : { 'continuation-token': next }) }
      const found = objectList(await (await this.bucket.ask('GET', '', { query })).text())
      // An empty list would mean that a build has no archive, which is final.
      if (found === undefined) throw this.notS3('GET')
      yield* found.objects
      next = found.next
      if (next === undefined) return
    }
  }

  /**
   * Writes an object to a file as it comes, and tells what it was. undefined where there is none, or where another one stands in its place
   * than the one with `tag`. `begin` is told how many bytes will come, before the first of them.
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
      // A bucket that is gone, or a proxy that knows no way, says 404, too, and nothing about the object.
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
      // A store that goes on beyond what it told would fill the disk.
      const written = await writeChunks(file, answer.body(), (bytes) => {
        if (bytes > told) throw faultAfter(bytes)
      })
      if (written.bytes < told) throw faultAfter(written.bytes)
      return written
    } finally {
      await answer.discard()
    }
  }

  /** As it lies: whoever uploads may say that it is packed once more, `fetch` would unpack it, and another body would come than was told. */
  private async get(key: string, headers: Readonly<Record<string, string>>): Promise<S3Answer> {
    const answer = await this.bucket.ask('GET', key, { headers }, [404, 412])
    if (answer.headers.get('content-encoding') === null) return answer
    await answer.discard()
    const query = { 'response-content-encoding': 'identity' }
    return this.bucket.ask('GET', key, { query, headers }, [404, 412])
  }

  /**
   * By the store itself, of the one with `tag`. Answers whether that is what was copied, for certain: not every store copies, or copies a
   * large object before it seems silent, and none of more than 5 GiB.
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
    // The tag of an object is its MD5, unless the store encrypts by keys of its own: then it cannot be told from here.
    return answer.status < 300 && plainTag(copiedTag(await answer.text()) ?? '') === tag
  }

  async upload(key: string, file: { readonly path: string; readonly bytes: number; readonly sha256: string }) {
    const headers = { 'content-type': 'application/zip' }
    await (await this.bucket.ask('PUT', key, { file, headers })).discard()
  }

  /** Removing what is gone is fine. */
  async remove(key: string): Promise<void> {
    await (await this.bucket.ask('DELETE', key, {}, [404])).discard()
  }

  private notS3(method: string): S3Refused {
    return new S3Refused(`${this.bucket.place} answers ${method} with something else than S3`, 'NotS3', undefined)
  }
}

const tagOf = (headers: Headers): string => plainTag(headers.get('etag') ?? '')
