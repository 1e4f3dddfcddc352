import {
  type ArchiveVerdict,
  type BuildLog,
  type BuildStore,
  PayloadTooLarge,
  UploadUnderway,
} from '@matchyard/core/ports'

/** Archives in memory; what `inspect` finds is what `verdict` says. */
export class FakeBuildStore implements BuildStore {
  readonly name = 'fake'
  readonly archives = new Map<string, Uint8Array>()
  /** How often what was cut off was swept. */
  sweeps = 0
  private readonly underway = new Set<string>()
  /** Set to make processing find fault, or to throw. */
  verdict: (buildId: string) => ArchiveVerdict = (buildId) => ({
    ok: true,
    unpackedBytes: this.archives.get(buildId)?.length ?? 0,
    entries: 1,
  })

  async receive(buildId: string, body: AsyncIterable<Uint8Array>, options: { maxBytes: number }) {
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
      this.archives.set(buildId, Buffer.concat(chunks))
      return { bytes }
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
    log(verdict.ok ? 'info' : 'error', verdict.ok ? `${verdict.entries} entries` : verdict.message)
    return verdict
  }

  async unpack(): Promise<void> {}

  async remove(buildId: string): Promise<void> {
    this.archives.delete(buildId)
  }
}
