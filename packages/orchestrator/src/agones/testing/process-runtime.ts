import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import type { ContainerExit, Runtime } from './kubernetes/kubelet'
import type { Fields, KubeObject } from './kubernetes/objects'

/** Content of an image: the folder with its files, and the program to start. */
export interface ImageContent {
  readonly folder: string
  readonly program: string
}

interface Running {
  readonly child: ChildProcess
  readonly place: string
  readonly log: { at: number; text: string }[]
  readonly over: () => void
  /**
   * Time at which the process is killed, on the clock of `performance.now()`. A second deletion may make this time
   * earlier.
   */
  killAt: number
  timer: NodeJS.Timeout | undefined
  isOutOfMemory: boolean
}

/**
 * User and group id without special rights: a process in a pod must not be able to write the files that it may only
 * read.
 */
const NOBODY = 65_534
const MEMORY_LOOK_MS = 20
const MARK = 'TEST_POD_UID'
const SHEBANG = /^#!\s*(\S+)/

/**
 * Returns a container runtime for tests, whose containers are processes of this machine. A mount is a folder, and the
 * environment contains the folder's path in place of the mount path. A server has no separate network, so it listens on
 * its host port.
 */
export function processRuntime(images: (image: string) => ImageContent | undefined): Runtime & { dispose(): void } {
  const root = mkdtempSync(join(tmpdir(), 'pods-'))
  chmodSync(root, 0o755)
  const pods = new Map<string, Running>()
  const logs = new Map<string, Running['log']>()

  const kill = (uid: string) => {
    const running = pods.get(uid)
    if (running === undefined) return
    running.child.kill('SIGKILL')
  }

  return {
    imageFault: (image) => (images(image) === undefined ? 'not found: manifest unknown' : undefined),
    start(pod, files, ended) {
      const { uid } = pod.metadata
      const container: Fields = pod.spec.containers[0]
      const image = images(container.image)
      if (image === undefined) return 'the image is gone'
      const program = join(image.folder, image.program)
      if (!existsSync(program)) return `exec: "${program}": stat ${program}: no such file or directory`
      const why = unstartable(program)
      if (why !== undefined) {
        // As in a real cluster, the container itself starts. When the kernel refuses the program, the first process of
        // the container reports this in the last line of the log.
        logs.set(uid, [{ at: Date.now(), text: `exec ${program}: ${why}` }])
        ended({ exitCode: 1 })
        return undefined
      }
      const place = join(root, uid)
      const environment = environmentOf(pod, files, place)
      const args = (container.args ?? []).map((one: string) => expanded(one, environment))
      const isRoot = process.getuid?.() === 0
      const child = spawn(join(image.folder, image.program), args, {
        cwd: image.folder,
        env: { ...environment, [MARK]: uid },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
      })
      const log: Running['log'] = []
      logs.set(uid, log)
      const memory = setInterval(() => watchMemory(running, memoryOf(container)), MEMORY_LOOK_MS)
      const running: Running = {
        child,
        place,
        log,
        over: () => clearInterval(memory),
        killAt: Number.POSITIVE_INFINITY,
        timer: undefined,
        isOutOfMemory: false,
      }
      pods.set(uid, running)
      for (const stream of [child.stdout, child.stderr]) collect(stream, log)
      child.once('close', (code, signal) => {
        running.over()
        clearTimeout(running.timer)
        pods.delete(uid)
        ended(exitOf(code, signal, running.isOutOfMemory))
      })
      // Processes that the program left behind may hold the output streams open, so all processes of the pod are
      // killed.
      child.once('exit', () => endAllOf(uid))
      return undefined
    },
    rewrite({ metadata }, files) {
      const running = pods.get(metadata.uid)
      if (running === undefined) return
      const folders = new Set([...files.keys()].map((path) => dirname(path)))
      for (const folder of folders) writeFolder(join(running.place, folder), inFolder(folder, files))
    },
    stop(uid, graceSeconds) {
      const running = pods.get(uid)
      if (running === undefined) return
      const killAt = performance.now() + graceSeconds * 1_000
      if (running.killAt === Number.POSITIVE_INFINITY) running.child.kill('SIGTERM')
      if (killAt >= running.killAt) return
      running.killAt = killAt
      clearTimeout(running.timer)
      running.timer = setTimeout(() => kill(uid), graceSeconds * 1_000)
    },
    log: (uid) => logs.get(uid) ?? [],
    forget(uid) {
      logs.delete(uid)
      rmSync(join(root, uid), { recursive: true, force: true })
    },
    dispose() {
      for (const uid of pods.keys()) {
        pods.get(uid)?.over()
        kill(uid)
        endAllOf(uid)
      }
      rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    },
  }
}

/**
 * Returns the reason why the kernel cannot start a program, in the words of a container's first process; undefined when
 * it can.
 */
function unstartable(path: string): string | undefined {
  const interpreter = SHEBANG.exec(readFileSync(path, 'utf8').split('\n', 1)[0] ?? '')?.[1]
  if (interpreter === undefined) return 'exec format error'
  return existsSync(interpreter) ? undefined : 'no such file or directory'
}

function environmentOf(pod: KubeObject, files: ReadonlyMap<string, string>, place: string): Record<string, string> {
  const container: Fields = pod.spec.containers[0]
  const isRoot = process.getuid?.() === 0
  const mounts: string[] = (container.volumeMounts ?? []).map(({ mountPath }: Fields) => String(mountPath))
  for (const mount of mounts) {
    const target = join(place, mount)
    const content = files.get(mount)
    const within = inFolder(mount, files)
    mkdirSync(content === undefined ? target : dirname(target), { recursive: true, mode: 0o755 })
    if (content !== undefined) writeFileSync(target, content, { mode: 0o444 })
    else if (within.size > 0) writeFolder(target, within)
    else if (isRoot) chownSync(target, NOBODY, NOBODY)
  }
  const local = (text: string) =>
    mounts.some((mount) => text === mount || text.startsWith(`${mount}/`)) ? join(place, text) : text
  const environment: Record<string, string> = {
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
  }
  for (const { name, value } of container.env ?? []) environment[name] = local(expanded(value, environment))
  for (const { containerPort, hostPort } of container.ports ?? []) {
    for (const [name, value] of Object.entries(environment)) {
      if (name.startsWith('PORT_') && value === String(containerPort) && !taken(environment, hostPort)) {
        environment[name] = String(hostPort)
        break
      }
    }
  }
  return environment
}

/** Returns the files that are directly in a folder, by name. */
const inFolder = (folder: string, files: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...files].filter(([path]) => dirname(path) === folder).map(([path, text]) => [basename(path), text]))

/**
 * Writes a folder in the way in which a kubelet does: each file is a symbolic link through `..data`. One rename
 * replaces `..data`, so all files change at once.
 */
function writeFolder(folder: string, files: ReadonlyMap<string, string>): void {
  const data = join(folder, '..data')
  const before = existsSync(data) ? readlinkSync(data) : undefined
  const now = basename(mkdtempSync(join(folder, '..written-')))
  chmodSync(join(folder, now), 0o755)
  for (const [name, text] of files) writeFileSync(join(folder, now, name), text, { mode: 0o444 })
  symlinkSync(now, `${data}_tmp`)
  renameSync(`${data}_tmp`, data)
  for (const name of files.keys()) {
    if (!existsSync(join(folder, name))) symlinkSync(join('..data', name), join(folder, name))
  }
  if (before !== undefined) rmSync(join(folder, before), { recursive: true })
}

const taken = (environment: Record<string, string>, port: number): boolean =>
  Object.values(environment).includes(String(port))

/** Replaces `$(NAME)` by the variable's value, and `$$` by `$`. A name without a variable stays as it is. */
export const expanded = (text: string, environment: Readonly<Record<string, string>>): string =>
  text.replace(/\$\$|\$\(([^)]*)\)/g, (whole, name?: string) => {
    if (whole === '$$') return '$'
    return name === undefined ? whole : (environment[name] ?? whole)
  })

function collect(stream: NodeJS.ReadableStream | null, log: Running['log']): void {
  const decoder = new TextDecoder()
  let rest = ''
  stream?.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) log.push({ at: Date.now(), text })
  })
}

const exitOf = (code: number | null, signal: NodeJS.Signals | null, isOutOfMemory: boolean): ContainerExit => ({
  exitCode: code ?? 128 + (signal === null ? 0 : constants.signals[signal]),
  ...(isOutOfMemory ? { reason: 'OOMKilled' } : {}),
})

function memoryOf(container: Fields): number {
  const [, amount = '0', unit = ''] = /^(\d+)(Mi|Gi)$/.exec(container.resources?.limits?.memory ?? '') ?? []
  return Number(amount) * 1024 ** (unit === 'Gi' ? 3 : 2) || Number.POSITIVE_INFINITY
}

function watchMemory(running: Running, limit: number): void {
  try {
    const pages = Number(readFileSync(`/proc/${running.child.pid}/statm`, 'utf8').split(' ')[1])
    if (pages * 4_096 <= limit) return
    running.isOutOfMemory = true
    running.child.kill('SIGKILL')
  } catch {} // the process has ended
}

/** Kills all processes that have the id of a pod in their environment, also those outside the pod's process group. */
function endAllOf(uid: string): void {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      if (readFileSync(`/proc/${name}/environ`, 'utf8').includes(`${MARK}=${uid}`))
        process.kill(Number(name), 'SIGKILL')
    } catch {} // the process has ended, or belongs to another user
  }
}
