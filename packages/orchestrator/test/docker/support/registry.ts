import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type ImageFile, withTar } from '../../../src/docker/testing/images'

export interface RegistryImage {
  readonly files: readonly ImageFile[]
  readonly architecture: string
  readonly entrypoint?: readonly string[]
}

export interface Login {
  readonly username: string
  readonly password: string
}

const MEDIA = 'application/vnd.docker.distribution.manifest.v2+json'
const sha256 = (data: Buffer) => `sha256:${createHash('sha256').update(data).digest('hex')}`

/** A registry on this machine with the content of a test: manifests by tag and digest, blobs by digest. */
export class TestRegistry {
  private readonly manifests = new Map<string, Buffer>()
  private readonly blobs = new Map<string, Buffer>()
  private readonly server = createServer((request, response) => this.answer(request, response))

  constructor(private readonly login?: Login) {}

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
  }

  /** Host of the registry, as references spell it. */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  /** Points a tag to this image. Returns its digest. */
  async put(path: string, tag: string, image: RegistryImage): Promise<string> {
    const layer = await tarOf(image.files)
    const config = Buffer.from(
      JSON.stringify({
        architecture: image.architecture,
        os: 'linux',
        config: image.entrypoint === undefined ? {} : { Entrypoint: image.entrypoint },
        rootfs: { type: 'layers', diff_ids: [sha256(layer)] },
        history: [{ created: '2026-01-01T00:00:00Z' }],
      }),
    )
    const packed = gzipSync(layer)
    for (const blob of [config, packed]) this.blobs.set(sha256(blob), blob)
    const described = (mediaType: string, blob: Buffer) => ({ mediaType, size: blob.length, digest: sha256(blob) })
    const manifest = Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: MEDIA,
        config: described('application/vnd.docker.container.image.v1+json', config),
        layers: [described('application/vnd.docker.image.rootfs.diff.tar.gzip', packed)],
      }),
    )
    for (const name of [tag, sha256(manifest)]) this.manifests.set(`${path}/${name}`, manifest)
    return sha256(manifest)
  }

  private answer({ url = '', headers, method }: IncomingMessage, response: ServerResponse): void {
    if (this.login !== undefined && headers.authorization !== basic(this.login)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end()
      return
    }
    const [, path = '', kind, name = ''] = /^\/v2\/(.+)\/(manifests|blobs)\/(.+)$/.exec(url) ?? []
    const found = kind === 'manifests' ? this.manifests.get(`${path}/${name}`) : this.blobs.get(name)
    if (url === '/v2/') response.end('{}')
    else if (found === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ errors: [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' }] }))
    } else {
      const type = kind === 'manifests' ? MEDIA : 'application/octet-stream'
      response.writeHead(200, {
        'content-type': type,
        'content-length': found.length,
        'docker-content-digest': sha256(found),
      })
      response.end(method === 'HEAD' ? undefined : found)
    }
  }
}

const basic = ({ username, password }: Login) => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

function tarOf(files: readonly ImageFile[]): Promise<Buffer> {
  return withTar(files, async (tar) => {
    const chunks: Buffer[] = []
    for await (const chunk of tar as AsyncIterable<Buffer>) chunks.push(chunk)
    return Buffer.concat(chunks)
  })
}
