import { join } from 'node:path'
import type { LaunchBuild } from '@matchyard/core/ports'
import { executableFault, findOnPath, HEAD_BYTES, readHead, type Surroundings, type UnpackedBuilds } from '../kit/index'
import type { Engine } from './engine'
import { type ImageFiles, withImageFiles } from './image-files'
import { type ImageConfig, pathOf } from './images/image-config'
import type { ImageSource } from './images/image-source'
import { SHELL } from './outlasting'
import { remember } from './remember'

export type Program =
  | {
      readonly ok: true
      readonly image: ImageConfig
      readonly root: string | undefined
      /** Whether the image has a shell. */
      readonly hasShell: boolean
    }
  | { readonly ok: false; readonly message: string }

/** The result of the check of an image. */
interface Seen {
  readonly fault: string | undefined
  readonly hasShell: boolean
}

/** Finds the program that a launch runs, and checks that the program can run. The result is cached for each build. */
export class Programs {
  private readonly seen = new Map<string, Seen>()

  constructor(
    private readonly engine: Engine,
    private readonly installationId: string,
    private readonly images: ImageSource,
    private readonly builds: UnpackedBuilds,
  ) {}

  async find(build: LaunchBuild): Promise<Program> {
    return build.type === 'zip' ? this.findZip(build) : this.findImage(build)
  }

  private async findZip({ buildId, executablePath }: LaunchBuild & { type: 'zip' }): Promise<Program> {
    if (!(await this.builds.isThere(buildId))) return refuse(`build ${buildId} has no archive`)
    const image = await this.images.base()
    const root = await this.builds.ensure(buildId, executablePath)
    const { fault, hasShell } = await this.once(`${image.id} ${buildId}`, image, async (files) => {
      const head = await readHead(join(root, executablePath), HEAD_BYTES)
      return executableFault(head, executablePath, around(image, files))
    })
    return fault === undefined ? { ok: true, image, root, hasShell } : refuse(fault)
  }

  private async findImage({ image: reference }: LaunchBuild & { type: 'docker_image' }): Promise<Program> {
    const image = await this.images.pinned(reference)
    if (image === undefined) return refuse(`the image ${reference} is no longer there; register it again`)
    const { fault, hasShell } = await this.look(image)
    return fault === undefined ? { ok: true, image, root: undefined, hasShell } : refuse(fault)
  }

  /** Returns the reason why an image cannot run; undefined when it can. */
  async inspect(image: ImageConfig): Promise<string | undefined> {
    return (await this.look(image)).fault
  }

  private look(image: ImageConfig): Promise<Seen> {
    return this.once(image.id, image, async (files) => {
      const [program] = [...image.entrypoint, ...image.command]
      if (program === undefined) return 'the image has neither an entry point nor a command'
      const surroundings = around(image, files)
      const file = await fileOf(program, image, surroundings)
      if (file === undefined) return `${program}, which the image runs, is not on its PATH`
      if (!(await files.isExecutable(file))) {
        return `${program}, which the image runs, is not in it as an executable (no such file, or not allowed)`
      }
      return executableFault(await files.head(file), program, surroundings)
    })
  }

  private async once(
    key: string,
    image: ImageConfig,
    judge: (files: ImageFiles) => Promise<string | undefined>,
  ): Promise<Seen> {
    const known = this.seen.get(key)
    if (known !== undefined) return known
    const seen = await withImageFiles(this.engine, image.id, this.installationId, async (files) => ({
      fault: await judge(files),
      hasShell: await files.isExecutable(SHELL),
    }))
    remember(this.seen, key, seen)
    return seen
  }
}

const around = (image: ImageConfig, files: ImageFiles): Surroundings => ({
  path: pathOf(image),
  architecture: image.architecture,
  runs: (file) => files.isExecutable(file),
  absent: 'not in the image',
  pathName: 'the PATH of the image',
})

async function fileOf(program: string, image: ImageConfig, around: Surroundings): Promise<string | undefined> {
  if (program.startsWith('/')) return program
  return program.includes('/') ? `${image.workingDirectory}/${program}` : findOnPath(program, around)
}

const refuse = (message: string): Program => ({ ok: false, message })
