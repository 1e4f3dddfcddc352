import type { ImageInspectInfo } from 'dockerode'
import { asking, askingUnless, type Engine } from '../engine'

/** The properties of an image, from the engine, that launches need. */
export interface ImageConfig {
  /** The content id of the image, `sha256:…`. */
  readonly id: string
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly environment: readonly string[]
  readonly workingDirectory: string
  readonly os: string
  readonly architecture: string
  readonly sizeBytes: number
  /** The names of the image with a digest, `name@sha256:…`, one for each registry from which it was pulled. */
  readonly digests: readonly string[]
}

/** Returns the properties of an image, or undefined when the engine does not have the image. */
export async function imageConfig(engine: Engine, reference: string): Promise<ImageConfig | undefined> {
  const found = await askingUnless(engine.api.getImage(reference).inspect(), 404)
  return found === undefined ? undefined : configOf(found)
}

const configOf = ({ Id, Config, Os, Architecture, Size, RepoDigests }: ImageInspectInfo): ImageConfig => ({
  id: Id,
  entrypoint: listOf(Config?.Entrypoint),
  command: listOf(Config?.Cmd),
  environment: Config?.Env ?? [],
  workingDirectory: Config?.WorkingDir || '/',
  os: Os,
  architecture: Architecture,
  sizeBytes: Size,
  digests: RepoDigests ?? [],
})

const listOf = (value: string | string[] | null | undefined): string[] =>
  typeof value === 'string' ? [value] : (value ?? [])

/** Returns the operating system and the processor of the engine, with the names that images use. */
export async function platformOf(engine: Engine): Promise<{ readonly os: string; readonly architecture: string }> {
  const { Os, Arch } = await asking(engine.api.version())
  return { os: Os, architecture: Arch }
}

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** Returns the PATH variable in containers of the image: the image's own, or the default of container engines. */
export const pathOf = ({ environment }: ImageConfig): string =>
  environment.find((entry) => entry.startsWith('PATH='))?.slice('PATH='.length) || DEFAULT_PATH
