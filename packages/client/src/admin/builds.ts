import type { Build } from '../api/types'
import { backoff } from '../calls/backoff'
import { isPassing } from '../calls/calls'
import { isMatchyardError, MatchyardError } from '../errors'
import { PlainBuilds } from './resources'

/** Milliseconds between two reads of a build while the client waits until the build is ready. */
const LOOK_MS = 300
const TRIES = 5
/**
 * Maximum number of bytes in one slice of an upload. The upload is sent in slices so that its progress can be reported.
 */
const SLICE_BYTES = 256 * 1024

/** Progress of an upload. */
export interface BuildProgress {
  /** Number of bytes that were sent to the network. */
  readonly sent: number
  /** Total number of bytes of the archive. */
  readonly total: number
}

/** Upload of a game server as a ZIP. */
export interface UploadBuild {
  /** Name of the build, used as `version_tag`. Each upload becomes the next version of this name. */
  readonly name: string
  /** Path of the program inside the archive, from its root. */
  readonly executablePath: string
  /** The archive. */
  readonly zip: Uint8Array | Blob
  /** Called with the progress of the upload. */
  readonly onProgress?: ((progress: BuildProgress) => void) | undefined
  /** Cancels the upload. */
  readonly signal?: AbortSignal | undefined
}

/** A container image of a game server. */
export interface RegisterImage {
  /** Name of the build, used as `version_tag`. */
  readonly name: string
  /** An OCI reference, without a scheme. */
  readonly imageUrl: string
  /** Cancels the wait until the build is ready. */
  readonly signal?: AbortSignal | undefined
}

/** Builds: programs that game servers run. */
export class Builds extends PlainBuilds {
  /** Uploads an archive and waits until it is `ready`. Rejects when it is `failed`, with the reason as `detail`. */
  async upload({ name, executablePath, zip, onProgress, signal }: UploadBuild): Promise<Build> {
    const bytes = zip instanceof Uint8Array ? zip : new Uint8Array(await zip.arrayBuffer())
    const { upload_url: url, build_id: id } = await this.createUpload({ name, executable_path: executablePath })
    await this.send(url, bytes, id, onProgress, signal)
    return this.ready(id, signal)
  }

  /** Registers a container image and waits until it is `ready`. */
  async registerImage({ name, imageUrl, signal }: RegisterImage): Promise<Build> {
    const { build_id: id } = await this.createOfImage({ name, image_url: imageUrl })
    return this.ready(id, signal)
  }

  /** Waits until a build is `ready`. Rejects when it is `failed`, with the reason as `detail`. */
  async ready(buildId: string, signal?: AbortSignal): Promise<Build> {
    for (;;) {
      const build = await this.get(buildId)
      if (build.status === 'ready') return build
      if (build.status === 'failed' || build.status === 'deleted') {
        const why = build.error_message ?? `it is ${build.status}`
        throw new MatchyardError('BUILD_NOT_READY', { detail: `${build.name} ${build.version}: ${why}` })
      }
      await this.context.calls.sleep(LOOK_MS, signal)
    }
  }

  private async send(
    url: string,
    bytes: Uint8Array,
    buildId: string,
    onProgress: UploadBuild['onProgress'],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { calls, platform } = this.context
    for (let failures = 0; ; failures++) {
      try {
        const init = { method: 'PUT', ...bodyOf(bytes, onProgress) }
        await calls.fetch(url, signal === undefined ? init : { ...init, signal })
        onProgress?.({ sent: bytes.byteLength, total: bytes.byteLength })
        return
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        // The upload URL accepts only one archive. If the answer to an earlier try was lost, this refusal means that
        // the service has the archive already.
        if (failures > 0 && isMatchyardError(error, 'UPLOAD_REJECTED')) {
          if ((await this.get(buildId)).status !== 'uploading') return
        }
        if (!isPassing(error) || failures + 1 >= TRIES) throw error
        await calls.sleep(Math.max(backoff(failures, platform.random()), error.retryAfterMs ?? 0), signal)
      }
    }
  }
}

/**
 * Returns the body of an upload. The body is a stream of slices if the caller wants the progress and the runtime can
 * stream a request body. Browsers cannot stream request bodies over HTTP/1.
 */
function bodyOf(bytes: Uint8Array, onProgress: UploadBuild['onProgress']): RequestInit {
  const isNode = 'process' in globalThis
  const headers = { 'content-type': 'application/zip' }
  if (onProgress === undefined || !isNode) return { headers, body: bytes as Uint8Array<ArrayBuffer> }
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      onProgress({ sent, total: bytes.byteLength })
      const slice = bytes.subarray(sent, sent + SLICE_BYTES)
      if (slice.byteLength === 0) return controller.close()
      controller.enqueue(slice)
      sent += slice.byteLength
    },
  })
  // `fetch` requires `duplex` for a streamed body, and object stores require the length of an archive.
  return { headers: { ...headers, 'content-length': String(bytes.byteLength) }, body, duplex: 'half' } as RequestInit
}
