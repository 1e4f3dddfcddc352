import { createHash } from 'node:crypto'
import {
  ArchiveMismatch,
  type ArchivePart,
  type ArchiveVerdict,
  type BuildLog,
  type BuildStore,
  type DirectUploads,
  type FoundUpload,
  type KeptLogs,
  PayloadTooLarge,
  type ReceiveTerms,
  StorageUnavailable,
  type StoredArchive,
  type UploadTerms,
  UploadUnderway,
} from '@matchyard/core/ports'
import { FakeKeptLogs } from './kept-logs'

/** A build store in memory. `inspect` returns the result of `verdict`. */
export class FakeBuildStore implements BuildStore {
  /** Always `fake`. */
  readonly name = 'fake'
  /** Assign a `FakeDirectUploads` to this field for a store to which clients upload directly. */
  direct: DirectUploads | null = null
  /** Logs of ended game servers. Assign null for a store that keeps none. */
  logs: KeptLogs | null = new FakeKeptLogs()
  /** By the id of a build: the bytes of its archive. */
  readonly archives = new Map<string, Uint8Array>()
  /** URL from which machines fetch archives. Assign null for archives that pass through the service. */
  url: string | null = null
  /** Number of calls of `sweep`, which removes interrupted uploads. The fake only counts them. */
  sweeps = 0
  private readonly underway = new Set<string>()
  /** Assign a function to this field to make the processing of an archive fail or throw. */
  verdict: (buildId: string) => ArchiveVerdict = (buildId) => ({
    ok: true,
    unpackedBytes: this.archives.get(buildId)?.length ?? 0,
    entries: 1,
  })

  async receive(buildId: string, body: AsyncIterable<Uint8Array>, options: ReceiveTerms) {
    if (this.underway.has(buildId)) throw new UploadUnderway(buildId)
    this.underway.add(buildId)
    try {
      const chunks: Uint8Array[] = []
      let bytes = 0
      for await (const chunk of body) {
        bytes += chunk.length
        if (bytes > options.maxBytes) throw new PayloadTooLarge(`more than ${options.maxBytes} bytes`)
        chunks.push(chunk)
      }
      const archive = Buffer.concat(chunks)
      const found = sha256Of(archive)
      if (options.sha256 !== undefined && options.sha256 !== found) throw new ArchiveMismatch(found, options.sha256)
      this.archives.set(buildId, archive)
      return { bytes, sha256: found }
    } finally {
      this.underway.delete(buildId)
    }
  }

  async sweep(): Promise<void> {
    this.sweeps++
  }

  async has(buildId: string): Promise<boolean> {
    return this.archives.has(buildId)
  }

  async inspect(buildId: string, _options: { executablePath: string }, log: BuildLog): Promise<ArchiveVerdict> {
    const verdict = this.verdict(buildId)
    if (verdict.ok) log('info', `${verdict.entries} entries`)
    return verdict
  }

  async unpack(): Promise<void> {}

  async locate(buildId: string): Promise<StoredArchive | undefined> {
    const archive = this.archives.get(buildId)
    return archive === undefined ? undefined : { sizeBytes: archive.length, sha256: sha256Of(archive), url: this.url }
  }

  async *read(buildId: string, { start, end }: ArchivePart): AsyncGenerator<Uint8Array> {
    const archive = this.archives.get(buildId)
    if (archive === undefined) throw new StorageUnavailable(`build ${buildId} has no archive`)
    yield archive.subarray(start, end)
  }

  async remove(buildId: string): Promise<void> {
    this.archives.delete(buildId)
  }
}

/** Returns the SHA-256 of bytes in hexadecimal digits. */
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Direct uploads of a `FakeBuildStore`: a test puts the bytes of a build into `arrived`, as if a client had uploaded
 * them to the build's URL.
 */
export class FakeDirectUploads implements DirectUploads {
  /** By the id of a build: the bytes that were uploaded. */
  readonly arrived = new Map<string, Uint8Array>()
  /** By the id of a build: the terms of its upload. */
  readonly terms = new Map<string, UploadTerms>()
  /** Assign a function to this field to make a step fail, or to run code between claiming and keeping an upload. */
  trouble: ((step: 'find' | 'keep' | 'claimed') => Promise<void> | void) | undefined

  constructor(private readonly store: Pick<FakeBuildStore, 'archives'>) {}

  async urlOf(buildId: string, terms: UploadTerms): Promise<string> {
    this.terms.set(buildId, terms)
    return `https://store.example/${buildId}?signature=${terms.expiresAt}`
  }

  async find(buildId: string): Promise<FoundUpload | undefined> {
    await this.trouble?.('find')
    const bytes = this.arrived.get(buildId)
    return bytes === undefined ? undefined : { sizeBytes: bytes.length, tag: sha256Of(bytes) }
  }

  async keep(
    buildId: string,
    { tag }: FoundUpload,
    claim: (sha256: string) => Promise<void>,
  ): Promise<'kept' | 'gone'> {
    await this.trouble?.('keep')
    const bytes = this.arrived.get(buildId)
    if (bytes === undefined || sha256Of(bytes) !== tag) return 'gone'
    await claim(tag)
    await this.trouble?.('claimed')
    this.store.archives.set(buildId, bytes)
    this.arrived.delete(buildId)
    return 'kept'
  }
}
