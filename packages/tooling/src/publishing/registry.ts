import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Manifest } from '../published.mjs'

/** Body of the request that `npm publish` sends. */
interface Publication {
  readonly name: string
  readonly versions: Readonly<Record<string, Manifest>>
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>
}

interface Kept {
  readonly manifest: Manifest
  readonly archive: Buffer
}

/**
 * A package registry in this process, to test a release: `npm install` gets the packages that `npm publish` sent. It is
 * stricter than a real registry: it refuses a package whose dependency is in `names` and was not published before. It
 * stores one version of each package.
 */
export class Registry {
  private readonly kept = new Map<string, Kept>()
  private readonly extra = new Map<string, Buffer>()
  /**
   * First part of the path in the registry's address. It is random, so that npm's cache never returns packages of an
   * earlier test registry.
   */
  private readonly path = `/${randomUUID()}/`
  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch((error: unknown) => reply(response, 500, { error: String(error) }))
  })

  constructor(private readonly names: ReadonlySet<string>) {}

  /** The names of all published packages in the order of publishing. */
  get published(): readonly string[] {
    return [...this.kept.keys()]
  }

  /** The address of the registry, with a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.path}`
  }

  async start(): Promise<this> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done))
    return this
  }

  stop(): void {
    this.server.close()
    this.server.closeAllConnections()
  }

  /**
   * Makes the registry return `content` for requests to `path`, which is relative to the registry's address. The path
   * must not be a package's name.
   */
  serve(path: string, content: Buffer): void {
    this.extra.set(path, content)
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const whole = decodeURIComponent(new URL(request.url ?? '/', this.url).pathname)
    const path = whole.startsWith(this.path) ? whole.slice(this.path.length) : ''
    const extra = this.extra.get(path)
    if (extra !== undefined) return void response.end(extra)
    const [name = '', file] = path.split('/-/')
    if (request.method === 'PUT') return this.take((await json(request)) as Publication, response)
    const kept = this.kept.get(name)
    if (kept === undefined) return reply(response, 404, { error: `${name} is not here` })
    if (file !== undefined) return void response.end(kept.archive)
    const { manifest, archive } = kept
    const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`
    const version = { ...manifest, dist: { tarball: `${this.url}${name}/-/package.tgz`, integrity } }
    reply(response, 200, {
      name,
      'dist-tags': { latest: manifest.version },
      versions: { [manifest.version]: version },
    })
  }

  private take({ name, versions, _attachments }: Publication, response: ServerResponse): void {
    const [manifest] = Object.values(versions)
    const [attachment] = Object.values(_attachments)
    const missing = Object.keys({ ...manifest?.dependencies, ...manifest?.peerDependencies }).filter(
      (need) => this.names.has(need) && !this.kept.has(need),
    )
    if (manifest === undefined || attachment === undefined) {
      reply(response, 400, { error: 'nothing was put' })
    } else if (this.kept.has(name)) {
      reply(response, 409, { error: `${name} has been published already` })
    } else if (missing.length > 0) {
      reply(response, 424, { error: `${name} needs ${missing.join(', ')}, published first` })
    } else {
      this.kept.set(name, { manifest, archive: Buffer.from(attachment.data, 'base64') })
      reply(response, 201, { ok: true })
    }
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
