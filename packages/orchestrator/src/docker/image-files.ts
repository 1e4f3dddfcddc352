import type { Container } from 'dockerode'
import { asking, askingUnless, type Engine } from './engine'
import { LABEL } from './labels'

/** Bytes that are read of a program: enough for its headers and for the tar headers before them. */
const HEAD_BYTES = 80 * 1024
const BLOCK = 512
const GO_MODE_DIRECTORY = 2 ** 31
const EXECUTABLE = 0o111

/** Reads the files of an image without running any program of the image. */
export interface ImageFiles {
  /**
   * Returns the first bytes of a regular file; follows symbolic links. Returns undefined when the file does not exist.
   */
  head(path: string): Promise<Buffer | undefined>
  isExecutable(path: string): Promise<boolean>
}

/**
 * Calls `look` with the files of an image. The files come from a container that is created for this purpose, is never
 * started, and is removed afterwards.
 */
export async function withImageFiles<T>(
  engine: Engine,
  image: string,
  installationId: string,
  look: (files: ImageFiles) => Promise<T>,
): Promise<T> {
  const container = await asking(
    engine.api.createContainer({
      Image: image,
      Entrypoint: ['/never-started'],
      Labels: { [LABEL.scratch]: installationId },
      NetworkDisabled: true,
    }),
  )
  try {
    return await look(filesOf(container))
  } finally {
    await askingUnless(container.remove({ force: true, v: true }), 404, 409)
  }
}

interface PathStat {
  readonly mode: number
  readonly linkTarget: string
}

function filesOf(container: Container): ImageFiles {
  const stat = async (path: string): Promise<PathStat | undefined> => {
    const answer = (await askingUnless(container.infoArchive({ path }), 404, 400)) as
      | { headers: Record<string, string | undefined>; resume?: () => void }
      | undefined
    answer?.resume?.()
    const header = answer?.headers['x-docker-container-path-stat']
    return header === undefined ? undefined : JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  }
  /**
   * Follows a symbolic link at the end of the path. The engine itself resolves links in the folders of a path, but for
   * the last part it only reports the target.
   */
  const follow = async (path: string): Promise<{ path: string; found: PathStat } | undefined> => {
    const found = await stat(path)
    if (found === undefined || found.linkTarget === '') return found && { path, found }
    const target = await stat(found.linkTarget)
    return target && { path: found.linkTarget, found: target }
  }
  const isDirectory = ({ mode }: PathStat) => mode >= GO_MODE_DIRECTORY
  return {
    async head(path) {
      const file = await follow(path)
      if (file === undefined || isDirectory(file.found)) return undefined
      const tar = await asking(container.getArchive({ path: file.path }))
      return contentOf(await firstBytes(tar))
    },
    async isExecutable(path) {
      const file = await follow(path)
      return file !== undefined && !isDirectory(file.found) && (file.found.mode & EXECUTABLE) !== 0
    },
  }
}

async function firstBytes(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop closes the stream: the rest of a large program is not read.
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= HEAD_BYTES) break
  }
  return Buffer.concat(chunks)
}

/** Returns the beginning of the first regular file in a tar; skips other entries, such as long file names. */
export function contentOf(tar: Buffer): Buffer | undefined {
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8)
    const type = String.fromCharCode(tar[at + 156] ?? 0)
    if (Number.isNaN(size)) return undefined
    const from = at + BLOCK
    if (type === '0' || type === '\0') return tar.subarray(from, Math.min(from + size, tar.length))
    at = from + Math.ceil(size / BLOCK) * BLOCK
  }
  return undefined
}
