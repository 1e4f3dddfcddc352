import { join } from 'node:path'
import type { LaunchBuild } from '@matchyard/core/ports'
import {
  executableFault,
  findOnPath,
  HEAD_BYTES,
  readHead,
  type Surroundings,
  type UnpackedBuilds,
} from '@matchyard/orchestrator-kit'
import type { Engine } from './engine'
import { type ImageFiles, withImageFiles } from './image-files'
import { type ImageConfig, pathOf } from './images/image-config'
import type { ImageSource } from './images/image-source'
import { remember } from './remember'

export type Program =
  | { readonly ok: true; readonly image: ImageConfig; readonly root: string | undefined }
  | { readonly ok: false; readonly message: string }

/** Finds what a launch runs, and whether it can be run at all; each build is looked at once. */
export class Programs {
  private readonly faults = new Map<string, string | undefined>()

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
    const fault = await this.once(`${image.id} ${buildId}`, async () => {
      const head = await readHead(join(root, executablePath), HEAD_BYTES)
      return withImageFiles(this.engine, image.id, this.installationId, (files) =>
        executableFault(head, executablePath, around(image, files)),
      )
    })
    return fault === undefined ? { ok: true, image, root } : refuse(fault)
  }

  private async findImage({ image: reference }: LaunchBuild & { type: 'docker_image' }): Promise<Program> {
    const image = await this.images.pinned(reference)
    if (image === undefined) return refuse(`the image ${reference} is no longer there; register it again`)
    const fault = await this.inspect(image)
    return fault === undefined ? { ok: true, image, root: undefined } : refuse(fault)
  }

  /** Why an image could not be run as it is, or undefined. */
  inspect(image: ImageConfig): Promise<string | undefined> {
    return this.once(image.id, () => {
      const [program] = [...image.entrypoint, ...image.command]
      if (program === undefined) return Promise.resolve('the image has neither an entry point nor a command')
      return withImageFiles(this.engine, image.id, this.installationId, async (files) => {
        const surroundings = around(image, files)
        const file = await fileOf(program, image, surroundings)
        if (file === undefined) return `${program}, which the image runs, is not on its PATH`
        if (!(await files.isExecutable(file))) {
          return `${program}, which the image runs, is not in it as an executable (no such file, or not allowed)`
        }
        return executableFault(await files.head(file), program, surroundings)
      })
    })
  }

  private async once(key: string, look: () => Promise<string | undefined>): Promise<string | undefined> {
    if (this.faults.has(key)) return this.faults.get(key)
    const fault = await look()
    remember(this.faults, key, fault)
    return fault
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
