import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/**
 * One file of the console's page, ready to be sent. The file is read and compressed once, and all answers share the
 * result.
 */
export interface PageFile {
  readonly mediaType: string
  readonly plain: Uint8Array<ArrayBuffer>
  /** File compressed with gzip; undefined when compression does not make it smaller. */
  readonly packed: Uint8Array<ArrayBuffer> | undefined
}

const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.json', 'application/json'],
  ['.map', 'application/json'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.ico', 'image/x-icon'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
])

/**
 * The files of a folder and its subfolders, by path. The paths are listed once, when the object is created. A request
 * can reach only the listed files.
 */
export class PageFiles {
  private readonly paths: ReadonlySet<string>
  private readonly read = new Map<string, Promise<PageFile>>()

  constructor(private readonly directory: string) {
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    this.paths = new Set(
      files.map(({ parentPath, name }) => relative(directory, join(parentPath, name)).split(sep).join('/')),
    )
  }

  /** Returns the file at a path; undefined if there is no such file. A file is read once and then kept in memory. */
  async find(path: string): Promise<PageFile | undefined> {
    if (!this.paths.has(path)) return undefined
    const known = this.read.get(path)
    if (known !== undefined) return known
    const file = this.load(path)
    this.read.set(path, file)
    file.catch(() => this.read.delete(path))
    return file
  }

  private async load(path: string): Promise<PageFile> {
    const plain = new Uint8Array(await readFile(join(this.directory, path)))
    const packed = new Uint8Array(await packedOf(plain))
    return {
      mediaType: MEDIA_TYPES.get(extname(path)) ?? 'application/octet-stream',
      plain,
      packed: packed.byteLength < plain.byteLength ? packed : undefined,
    }
  }
}

const packedOf = promisify<Uint8Array, Buffer>(gzip)
