import { copiedTag, type ListedObject, objectList, plainTag } from './answers'
import type { Bucket } from './bucket'
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
    return { sizeBytes: Number(answer.headers.get('content-length') ?? 0), tag: tagOf(answer.headers) }
  }

  /** Everything below a prefix. */
  async *list(prefix: string): AsyncGenerator<ListedObject> {
    let next: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = { 'list-type': '2', prefix, ...(next === undefined ? {} : { 'continuation-token': next }) }
      const found = objectList(await (await this.bucket.ask('GET', '', { query })).text())
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
    const answer = await this.bucket.ask('GET', key, { headers }, [404, 412])
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

  /** By the store itself, of the one with `tag`. Answers whether that is what was copied, for certain. */
  async copy(from: string, to: string, tag: string): Promise<boolean> {
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
}

const tagOf = (headers: Headers): string => plainTag(headers.get('etag') ?? '')
