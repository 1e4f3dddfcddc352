import type { ImageInspectInfo } from 'dockerode'
import { asking, askingUnless, type Engine } from '../engine'

/** What matters of an image that is in the engine. */
export interface ImageConfig {
  /** `sha256:…`, which names this very content. */
  readonly id: string
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly environment: readonly string[]
  readonly workingDirectory: string
  readonly os: string
  readonly architecture: string
  readonly sizeBytes: number
  /** `name@sha256:…` of every registry it came from. */
  readonly digests: readonly string[]
}

/** undefined when the engine does not have it. */
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

/** What runs in the engine's containers, in the words that images use. */
export async function platformOf(engine: Engine): Promise<{ readonly os: string; readonly architecture: string }> {
  const { Os, Arch } = await asking(engine.api.version())
  return { os: Os, architecture: Arch }
}

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The PATH that a container of the image gets. */
export const pathOf = ({ environment }: ImageConfig): string =>
  environment.find((entry) => entry.startsWith('PATH='))?.slice('PATH='.length) || DEFAULT_PATH
