import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type Docker from 'dockerode'

const run = promisify(execFile)

const PROGRAMS = [process.execPath, '/usr/bin/env', '/bin/sh', '/bin/sleep', '/usr/bin/setsid']

/**
 * Name of the test image. It contains a hash of the program paths, because an image that was made for another Node has
 * its programs at other paths.
 */
export const NODE_IMAGE = `local/matchyard-test-node:${process.version}-${createHash('sha256').update(PROGRAMS.join()).digest('hex').slice(0, 12)}`

export interface ImageFile {
  readonly path: string
  readonly content: string | Buffer
  readonly executable: boolean
}

/** The content of a test image: its files, and its settings as Dockerfile instructions. */
export interface ImageMaking {
  readonly files?: readonly ImageFile[]
  readonly changes?: readonly string[]
  readonly platform?: string
}

const imported = new WeakMap<Docker, Promise<void>>()

/** Makes an image that contains this machine's Node and the libraries that it needs, without a registry. */
export function ensureNodeImage(docker: Docker): Promise<void> {
  const underway = imported.get(docker) ?? importNode(docker)
  imported.set(docker, underway)
  return underway
}

async function importNode(docker: Docker): Promise<void> {
  const there = await docker
    .getImage(NODE_IMAGE)
    .inspect()
    .catch(() => undefined)
  if (there !== undefined) return
  const libraries = await Promise.all(PROGRAMS.map(librariesOf))
  const files = [...new Set([...PROGRAMS, ...libraries.flat()])].map((path) => path.slice(1))
  // Node may be in /tmp on this machine. A game server's container mounts its own /tmp, which would hide the /tmp of
  // the image, so Node is moved to /usr/local/bin.
  const moved = `--transform=s,^${process.execPath.slice(1)}$,usr/local/bin/node,`
  const tar = spawn('tar', ['-c', '-h', '-C', '/', moved, ...files], { stdio: ['ignore', 'pipe', 'inherit'] })
  await importTar(docker, tar.stdout, NODE_IMAGE, { changes: ['ENV PATH=/usr/local/bin:/usr/bin:/bin'] })
}

async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await run('ldd', [program])
  return stdout.split('\n').flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? [])
}

/** Makes an image that holds only these files. */
export async function makeImage(docker: Docker, name: string, making: ImageMaking): Promise<void> {
  await withTar(making.files ?? [], (tar) => importTar(docker, tar, name, making))
}

/** Makes an image of these files on top of the Node image. */
export async function makeNodeImage(
  docker: Docker,
  name: string,
  { files = [], changes = [] }: ImageMaking,
): Promise<void> {
  await ensureNodeImage(docker)
  const container = await docker.createContainer({ Image: NODE_IMAGE, Cmd: ['/never'] })
  try {
    await withTar(files, (tar) => container.putArchive(tar, { path: '/' }))
    const [repo, tag] = name.split(':')
    await container.commit({ repo, tag, changes: changes.join('\n') })
  } finally {
    await container.remove({ force: true })
  }
}

async function importTar(
  docker: Docker,
  tar: NodeJS.ReadableStream,
  name: string,
  { changes = [], platform }: ImageMaking,
) {
  const [repo, tag] = name.split(':')
  const options = { repo, tag, changes: [...changes], ...(platform === undefined ? {} : { platform }) }
  const answer = await docker.importImage(tar, options)
  let said = ''
  for await (const chunk of answer as AsyncIterable<Buffer>) said += chunk.toString()
  if (said.includes('"error"')) throw new Error(said)
}

export async function withTar<T>(
  files: readonly ImageFile[],
  use: (tar: NodeJS.ReadableStream) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'image-'))
  try {
    for (const { path, content, executable } of files) {
      const target = join(folder, path)
      await mkdir(dirname(target), { recursive: true, mode: 0o755 })
      await writeFile(target, content, { mode: executable ? 0o755 : 0o644 })
    }
    const tar = spawn('tar', ['-c', '--owner=0', '--group=0', '--mode=u+rwX,go+rX', '-C', folder, '.'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return await use(tar.stdout)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}
