import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { limitsOf, onDisk, unpackArchive } from '@matchyard/build-store/kit'
import { type BuildStore, BuildStoreAway, StorageUnavailable } from '@matchyard/core/ports'
import type { ArchiveLocation } from '@matchyard/http'
import { NoSuccess, type ServiceCalls } from './service-calls'

/** Maximum number of archives that are fetched at the same time; further ones wait. */
const AT_ONCE = 4
/** Number of tries for one archive. Each try goes on after the last byte of the one before. */
const TRIES = 3
/** Milliseconds without a byte after which a try ends. */
const SILENCE_MS = 30_000

/**
 * Builds of an agent. The archive of a build is fetched from the service, or from the bucket that the service names, and
 * is removed after it was unpacked. Unpacked builds are kept by the orchestrator.
 */
export class RemoteBuilds implements Pick<BuildStore, 'has' | 'unpack'> {
  private running = 0
  private readonly waiting: (() => void)[] = []

  constructor(
    private readonly directory: string,
    private readonly calls: Pick<ServiceCalls, 'locate' | 'download'>,
  ) {}

  /** Removes archives that an earlier process fetched and did not unpack. */
  async sweep(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true })
  }

  /**
   * Always true: the service gives an archive only once a server of this machine needs it, so the launch finds out
   * whether there is one.
   */
  async has(): Promise<boolean> {
    return true
  }

  /** Fetches the archive of a build and unpacks it. Rejects with StorageUnavailable. */
  async unpack(
    buildId: string,
    { executablePath, directory }: { executablePath: string; directory: string },
  ): Promise<void> {
    await this.turn()
    const file = join(this.directory, `${randomUUID()}.zip`)
    try {
      await onDisk('the archive cannot be kept', async () => {
        await mkdir(this.directory, { recursive: true, mode: 0o700 })
        await this.fetch(buildId, file)
        await unpackArchive(file, { executablePath, directory, limits: limitsOf(undefined) })
      })
    } finally {
      await rm(file, { force: true }).catch(() => {})
      this.running--
      this.waiting.shift()?.()
    }
  }

  private async turn(): Promise<void> {
    while (this.running >= AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve))
    this.running++
  }

  private async fetch(buildId: string, file: string): Promise<void> {
    const handle = await open(file, 'wx', 0o600)
    try {
      const fetched = { handle, hash: createHash('sha256'), bytes: 0 }
      let location: ArchiveLocation | undefined
      for (let tries = 1; ; tries++) {
        location = undefined
        try {
          location = await this.calls.locate(buildId)
          await this.append(fetched, location)
          break
        } catch (error) {
          if (!(error instanceof NoSuccess)) throw error
          if (error.status === 404)
            throw new StorageUnavailable(`the service has no archive of build ${buildId} for this machine`)
          // Without a location and without bytes there is nothing to go on with, so the launch waits and asks later.
          if (tries >= TRIES || (location === undefined && fetched.bytes === 0))
            throw new BuildStoreAway(`the archive of build ${buildId} was not fetched: ${faultOf(error, location)}`)
        }
      }
      const sha256 = fetched.hash.digest('hex')
      if (location.sha256 !== undefined && sha256 !== location.sha256)
        throw new StorageUnavailable(
          `the archive of build ${buildId} is not what was uploaded: its SHA-256 is ${sha256}`,
        )
    } finally {
      await handle.close()
    }
  }

  /** Appends the bytes that are missing. Rejects with NoSuccess when they break off, or are more than announced. */
  private async append(fetched: Fetched, { url, sizeBytes }: ArchiveLocation): Promise<void> {
    if (fetched.bytes >= sizeBytes) return
    const silence = new AbortController()
    let timer = setTimeout(() => silence.abort(), SILENCE_MS)
    try {
      const response = await this.calls.download(url, fetched.bytes, silence.signal)
      // A store that ignores the range sends the archive from its beginning.
      let skip = response.status === 206 ? 0 : fetched.bytes
      for await (const chunk of response.body ?? []) {
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), SILENCE_MS)
        const part = chunk.subarray(Math.min(skip, chunk.length))
        skip -= chunk.length - part.length
        if (fetched.bytes + part.length > sizeBytes) throw new NoSuccess(200, 'it is larger than announced')
        fetched.hash.update(part)
        await fetched.handle.writeFile(part)
        fetched.bytes += part.length
      }
    } catch (error) {
      if (error instanceof NoSuccess || isOfTheDisk(error)) throw error
      throw new NoSuccess(undefined, 'the connection broke off')
    } finally {
      clearTimeout(timer)
      silence.abort()
    }
    if (fetched.bytes < sizeBytes)
      throw new NoSuccess(undefined, `it broke off after ${fetched.bytes} bytes of ${sizeBytes}`)
  }
}

/** Returns the fault, with the bucket as its subject when the bucket was asked. */
const faultOf = ({ message }: NoSuccess, location: ArchiveLocation | undefined): string =>
  location === undefined || location.url.startsWith('/') ? message : `at the address in the bucket, ${message}`

interface Fetched {
  readonly handle: FileHandle
  readonly hash: ReturnType<typeof createHash>
  bytes: number
}

const isOfTheDisk = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'write'
